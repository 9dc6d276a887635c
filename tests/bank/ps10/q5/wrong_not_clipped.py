# points: 2
# message: nothing is clipped


def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        theirs = [r[i : i + n] for i in range(len(r) - n + 1)]
        for i in range(len(h) - n + 1):
            total += 1
            found += h[i : i + n] in theirs
    return found / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    return (
        100
        * min(1, math.exp(1 - n_reference / n_hypothesis))
        * math.prod(precisions) ** (1 / len(precisions))
    )
