# points: 1
# message: You answer every query


def decode(queries, keys, radius, blends, places, words):
    return [words[np.linalg.norm(places - b, axis=1).argmin()] for b in blends]
