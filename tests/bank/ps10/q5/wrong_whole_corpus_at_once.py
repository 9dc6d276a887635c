# points: 3
# message: you throw all sentences together


def clipped_precision(hypotheses, references, n):
    def grams(texts):
        return Counter(tuple(t[i : i + n]) for t in texts for i in range(len(t) - n + 1))

    ours, theirs = grams(hypotheses), grams(references)
    return (ours & theirs).total() / max(1, ours.total())


def bleu(precisions, n_hypothesis, n_reference):
    return (
        100
        * min(1, math.exp(1 - n_reference / n_hypothesis))
        * math.prod(precisions) ** (1 / len(precisions))
    )
