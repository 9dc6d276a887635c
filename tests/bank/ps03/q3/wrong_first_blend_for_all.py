# points: 0
# message: Each query has a blend of its own


def decode(queries, keys, radius, blends, places, words):
    known = np.linalg.norm(queries[:, None] - keys, axis=-1).min(axis=1) <= radius
    word = words[np.linalg.norm(places - blends[0], axis=1).argmin()]
    return [word if k else None for k in known]
