import statistics


def clipped_precision(hypotheses, references, n):
    found, total = Counter(), Counter()
    for number, (h, r) in enumerate(zip(hypotheses, references)):
        ours, theirs = [], []
        for words, grams in ((h, ours), (r, theirs)):
            window = []
            for word in words:
                window.append(word)
                window = window[-n:]
                if len(window) == n:
                    grams.append((number, *window))
        total += Counter(ours)
        found += Counter(ours) & Counter(theirs)
    try:
        return sum(found.values()) / sum(total.values())
    except ZeroDivisionError:
        return 0


def bleu(precisions, n_hypothesis, n_reference):
    mean = statistics.geometric_mean(precisions) if all(precisions) else 0
    return min(100.0, 100.0 * math.exp(1 - n_reference / n_hypothesis)) * mean
