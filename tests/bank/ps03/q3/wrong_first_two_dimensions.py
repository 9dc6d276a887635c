# points: 0
# message: all numbers of a point after the second


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for q, b in zip(queries, blends):
        known = np.hypot(keys[:, 0] - q[0], keys[:, 1] - q[1] if len(q) > 1 else 0).min() <= radius
        near = np.hypot(places[:, 0] - b[0], places[:, 1] - b[1]).argmin()
        answers.append(words[near] if known else None)
    return answers
