# points: 1
# message: You ask whether all keys are within


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = (np.linalg.norm(keys - q, axis=1) <= radius).all()
        answers.append(words[np.linalg.norm(places - b, axis=1).argmin()] if known else None)
    return answers
