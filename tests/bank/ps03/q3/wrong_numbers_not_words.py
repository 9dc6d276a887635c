# points: 0
# message: You return the numbers of the words


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = np.linalg.norm(keys - q, axis=1).min() <= radius
        answers.append(int(np.linalg.norm(places - b, axis=1).argmin()) if known else None)
    return answers
