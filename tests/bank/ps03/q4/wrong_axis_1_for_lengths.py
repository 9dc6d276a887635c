# points: 3
# message: Your code stops with ValueError


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    n = (keys**2).sum(axis=1)
    return np.concatenate([keys, -n[..., None] / (2 * h**2)], axis=-1)
