# points: 1
# message: You look at the first key only


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = np.linalg.norm(keys[0] - q) <= radius
        answers.append(words[np.linalg.norm(places - b, axis=1).argmin()] if known else None)
    return answers
