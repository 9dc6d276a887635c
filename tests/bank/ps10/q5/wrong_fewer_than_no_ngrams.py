# points: 3
# message: a sentence with fewer than n words has no n-gram


def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        a = Counter(tuple(h[i : i + n]) for i in range(len(h) - n + 1))
        b = Counter(tuple(r[i : i + n]) for i in range(len(r) - n + 1))
        found += (a & b).total()
        total += len(h) - n + 1
    return found / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    brevity = min(1, math.exp(1 - n_reference / n_hypothesis))
    return 100 * brevity * math.prod(precisions) ** (1 / len(precisions))
