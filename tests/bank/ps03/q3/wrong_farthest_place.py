# points: 0
# message: the largest distance from the blend


def decode(queries, keys, radius, blends, places, words):
    known = np.linalg.norm(queries[:, None] - keys, axis=-1).min(axis=1) <= radius
    far = np.linalg.norm(blends[:, None] - places, axis=-1).argmax(axis=1)
    return [words[j] if k else None for k, j in zip(known, far)]
