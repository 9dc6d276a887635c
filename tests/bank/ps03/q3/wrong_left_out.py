# points: 1
# message: You leave missing keys out


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        if np.linalg.norm(keys - q, axis=1).min() <= radius:
            answers.append(words[np.linalg.norm(places - b, axis=1).argmin()])
    return answers
