from fractions import Fraction


def clipped_precision(hypotheses, references, n):
    counts = [0, 0]
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        budget = {}
        for i in range(n, len(reference) + 1):
            gram = tuple(reference[i - n : i])
            budget[gram] = budget.get(gram, 0) + 1
        for i in range(n, len(hypothesis) + 1):
            gram = tuple(hypothesis[i - n : i])
            counts[1] += 1
            if budget.get(gram, 0) > 0:
                budget[gram] -= 1
                counts[0] += 1
    return Fraction(*counts) if counts[1] else Fraction(0)


def bleu(precisions, n_hypothesis, n_reference):
    product = 1
    for p in precisions:
        product *= p
    penalty = 1 if n_hypothesis >= n_reference else math.e ** (1 - Fraction(n_reference, n_hypothesis))
    return 100 * penalty * product ** Fraction(1, len(precisions))
