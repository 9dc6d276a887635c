# points: 1
# message: Your distances between queries and keys are sums of absolute differences


def decode(queries, keys, radius, blends, places, words):
    known = np.abs(queries[:, None] - keys).sum(axis=-1).min(axis=1) <= radius
    near = np.linalg.norm(blends[:, None] - places, axis=-1).argmin(axis=1)
    return [words[j] if k else None for k, j in zip(known, near)]
