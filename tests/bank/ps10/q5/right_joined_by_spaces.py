def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        ours = Counter(" ".join(h[i : i + n]) for i in range(len(h) - n + 1))
        theirs = Counter(" ".join(r[i : i + n]) for i in range(len(r) - n + 1))
        found += sum(min(count, theirs[gram]) for gram, count in ours.items())
        total += sum(ours.values())
    return found / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    if 0 in precisions:
        return 0.0
    mean = math.exp(sum(math.log(p) for p in precisions) / len(precisions))
    return 100 * mean * (1.0 if n_hypothesis > n_reference else math.exp(1 - n_reference / n_hypothesis))
