import numpy as np


def clipped_precision(hypotheses, references, n):
    found, total = [], []
    for h, r in zip(hypotheses, references):
        ours = [" ".join(h[i : i + n]) for i in range(len(h) - n + 1)]
        theirs = [" ".join(r[i : i + n]) for i in range(len(r) - n + 1)]
        found.append(sum(min(ours.count(gram), theirs.count(gram)) for gram in set(ours)))
        total.append(len(ours))
    return np.sum(found) / np.sum(total) if np.sum(total) > 0 else 0


def bleu(precisions, n_hypothesis, n_reference):
    with np.errstate(divide="ignore"):
        mean = np.exp(np.mean(np.log(precisions)))
    brevity = 1.0 if n_hypothesis >= n_reference else np.exp(1 - n_reference / n_hypothesis)
    return 100 * brevity * mean
