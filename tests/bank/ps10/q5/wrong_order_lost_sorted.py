# points: 3
# message: chat le is not le chat


def clipped_precision(hypotheses, references, n):
    def grams(words):
        return Counter(tuple(sorted(words[i : i + n])) for i in range(len(words) - n + 1))

    pairs = [(grams(h), grams(r)) for h, r in zip(hypotheses, references)]
    total = sum(ours.total() for ours, _ in pairs)
    return sum((ours & theirs).total() for ours, theirs in pairs) / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    brevity = min(1, math.exp(1 - n_reference / n_hypothesis))
    return 100 * brevity * math.prod(precisions) ** (1 / len(precisions))
