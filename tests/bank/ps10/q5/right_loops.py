def clipped_precision(hypotheses, references, n):
    found, total = 0, 0
    for h, r in zip(hypotheses, references):
        left = [r[i : i + n] for i in range(len(r) - n + 1)]
        for i in range(len(h) - n + 1):
            total += 1
            if h[i : i + n] in left:
                left.remove(h[i : i + n])
                found += 1
    return 0.0 if total == 0 else found / total


def bleu(precisions, n_hypothesis, n_reference):
    if min(precisions) == 0:
        return 0.0
    mean = sum(math.log(p) for p in precisions) / len(precisions)
    return 100 * math.exp(min(0, 1 - n_reference / n_hypothesis) + mean)
