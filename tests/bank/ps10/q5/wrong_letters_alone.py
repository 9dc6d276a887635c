# points: 3
# message: letters


def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        ours = Counter("".join(h[i : i + n]) for i in range(len(h) - n + 1))
        theirs = Counter("".join(r[i : i + n]) for i in range(len(r) - n + 1))
        found += (ours & theirs).total()
        total += sum(ours.values())
    return found / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    brevity = min(1, math.exp(1 - n_reference / n_hypothesis))
    return 100 * brevity * math.prod(precisions) ** (1 / len(precisions))
