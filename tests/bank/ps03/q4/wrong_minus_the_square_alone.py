# points: 0
# message: Your scores are those of


def wide_queries(queries, h):
    return np.concatenate([2 * queries, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(axis=-1, keepdims=True)], axis=-1)
