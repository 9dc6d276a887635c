# points: 1
# message: You compare the distance from the blend to the places


def decode(queries, keys, radius, blends, places, words):
    answers = []
    for b in blends:
        ways = np.linalg.norm(places - b, axis=1)
        answers.append(words[ways.argmin()] if ways.min() <= radius else None)
    return answers
