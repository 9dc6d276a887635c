# points: 1
# message: Your penalty is divided by h² twice


def wide_queries(queries, h):
    return np.concatenate([queries, np.ones((*queries.shape[:-1], 1))], axis=-1) / h**2


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(axis=-1, keepdims=True) / (2 * h**2)], axis=-1)
