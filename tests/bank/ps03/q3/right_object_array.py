def decode(queries, keys, radius, blends, places, words):
    def ways(a, b):
        return np.hypot.reduce(a[:, None] - b[None], axis=2)

    names = np.array(words, dtype=object)[ways(blends, places).argmin(axis=1)]
    names[ways(queries, keys).min(axis=1) > radius] = None
    return tuple(names)
