# points: 1
# message: You compare a squared distance with the radius


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = ((keys - q) ** 2).sum(axis=1).min() <= radius
        answers.append(words[((places - b) ** 2).sum(axis=1).argmin()] if known else None)
    return answers
