# points: 3
# message: the mean of the sentences' precisions


def clipped_precision(hypotheses, references, n):
    each = []
    for h, r in zip(hypotheses, references):
        ours = Counter(tuple(h[i : i + n]) for i in range(len(h) - n + 1))
        theirs = Counter(tuple(r[i : i + n]) for i in range(len(r) - n + 1))
        each.append((ours & theirs).total() / max(1, ours.total()))
    return sum(each) / len(each)


def bleu(precisions, n_hypothesis, n_reference):
    return (
        100
        * min(1, math.exp(1 - n_reference / n_hypothesis))
        * math.prod(precisions) ** (1 / len(precisions))
    )
