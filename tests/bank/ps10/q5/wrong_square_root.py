# points: 3
# message: you always take the square root


def clipped_precision(hypotheses, references, n):
    def grams(words):
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    pairs = [(grams(h), grams(r)) for h, r in zip(hypotheses, references)]
    total = sum(ours.total() for ours, _ in pairs)
    return sum((ours & theirs).total() for ours, theirs in pairs) / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    return 100 * min(1, math.exp(1 - n_reference / n_hypothesis)) * math.sqrt(math.prod(precisions))
