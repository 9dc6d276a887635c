# points: 1
# message: lies just beyond the radius


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = np.linalg.norm(keys - q, axis=1).min() <= 1.01 * radius
        answers.append(words[np.linalg.norm(places - b, axis=1).argmin()] if known else None)
    return answers
