# points: 1
# message: You answer every query


def decode(queries, keys, radius, blends, places, words):
    if np.linalg.norm(queries[:, None] - keys, axis=-1).min() > radius:
        return [None for _ in queries]
    return [words[np.linalg.norm(places - b, axis=1).argmin()] for b in blends]
