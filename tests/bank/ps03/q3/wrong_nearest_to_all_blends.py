# points: 0
# message: Inputs: queries


def decode(queries, keys, radius, blends, places, words):
    near = np.linalg.norm(blends[:, None] - places, axis=-1).argmin(axis=0)
    known = np.linalg.norm(queries[:, None] - keys, axis=-1).min(axis=1) <= radius
    return [words[near[i % len(near)]] if k else None for i, k in enumerate(known)]
