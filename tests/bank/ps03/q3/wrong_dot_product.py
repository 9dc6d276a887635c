# points: 2
# message: the largest dot product


def decode(queries, keys, radius, blends, places, words):
    known = np.linalg.norm(queries[:, None] - keys, axis=-1).min(axis=1) <= radius
    best = (blends @ places.T).argmax(axis=1)
    return [words[j] if k else None for k, j in zip(known, best)]
