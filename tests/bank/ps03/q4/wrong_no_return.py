# points: 0
# message: wide_keys returns None


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    np.concatenate([keys, -(keys**2).sum(axis=-1, keepdims=True) / (2 * h**2)], axis=-1)
