# points: 2
# message: between blends and places are sums of absolute differences


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = np.linalg.norm(keys - q, axis=1).min() <= radius
        answers.append(words[np.abs(places - b).sum(axis=1).argmin()] if known else None)
    return answers
