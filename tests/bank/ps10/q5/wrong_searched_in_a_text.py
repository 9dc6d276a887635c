# points: 2
# message: whole words


def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        grams = Counter(" ".join(h[i : i + n]) for i in range(len(h) - n + 1))
        text = " ".join(r)
        found += sum(min(count, text.count(gram)) for gram, count in grams.items())
        total += grams.total()
    return found / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    brevity = min(1, math.exp(1 - n_reference / n_hypothesis))
    return 100 * brevity * math.prod(precisions) ** (1 / len(precisions))
