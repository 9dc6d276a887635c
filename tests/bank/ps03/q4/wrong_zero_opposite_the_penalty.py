# points: 1
# message: penalty


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, np.zeros((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(-1, keepdims=True) / (2 * h**2)], axis=-1)
