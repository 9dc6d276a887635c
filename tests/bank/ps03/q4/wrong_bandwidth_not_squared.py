# points: 0
# message: The bandwidth enters as h


def wide_queries(queries, h):
    return np.concatenate([queries / h, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(axis=-1, keepdims=True) / (2 * h)], axis=-1)
