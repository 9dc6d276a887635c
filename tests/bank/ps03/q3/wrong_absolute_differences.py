# points: 0
# message: Your distances are sums of absolute differences


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = abs(keys - q).sum(axis=1).min() <= radius
        answers.append(words[abs(places - b).sum(axis=1).argmin()] if known else None)
    return answers
