# points: 3
# message: translations that are too short are not punished


def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        ours = Counter(tuple(h[i : i + n]) for i in range(len(h) - n + 1))
        theirs = Counter(tuple(r[i : i + n]) for i in range(len(r) - n + 1))
        found += (ours & theirs).total()
        total += ours.total()
    return found / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    return 100 * math.prod(precisions) ** (1 / len(precisions))
