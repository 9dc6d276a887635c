# points: 0
# message: the number of the nearest key


def decode(queries, keys, radius, blends, places, words):
    ways = np.linalg.norm(queries[:, None] - keys, axis=-1)
    return [words[w.argmin()] if w.min() <= radius else None for w in ways]
