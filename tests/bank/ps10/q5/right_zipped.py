def clipped_precision(hypotheses, references, n):
    def grams(words):
        return Counter(zip(*(words[i:] for i in range(n))))

    found = sum((grams(h) & grams(r)).total() for h, r in zip(hypotheses, references))
    total = sum(max(0, len(h) + 1 - n) for h in hypotheses)
    return found / max(1, total)


def bleu(precisions, n_hypothesis, n_reference):
    score = 100.0
    for p in precisions:
        score *= p ** (1 / len(precisions))
    if n_hypothesis < n_reference:
        score *= math.exp(1 - n_reference / n_hypothesis)
    return score
