# points: 3
# message: not 0 divided by 0


import numpy as np


def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        ours = Counter(tuple(h[i : i + n]) for i in range(len(h) - n + 1))
        theirs = Counter(tuple(r[i : i + n]) for i in range(len(r) - n + 1))
        found += sum((ours & theirs).values())
        total += sum(ours.values())
    return np.divide(found, total)


def bleu(precisions, n_hypothesis, n_reference):
    return (
        100
        * min(1, math.exp(1 - n_reference / n_hypothesis))
        * math.prod(precisions) ** (1 / len(precisions))
    )
