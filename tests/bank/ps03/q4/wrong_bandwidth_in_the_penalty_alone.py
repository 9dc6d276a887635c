# points: 0
# message: Your dot product is not divided by h²


def wide_queries(queries, h):
    return np.concatenate([queries, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(axis=-1, keepdims=True) / (2 * h**2)], axis=-1)
