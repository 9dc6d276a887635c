# points: 0
# message: expected is


def wide_queries(queries, h):
    ones = np.ones((*queries.shape[:-1], 1))
    return np.concatenate([queries / h**2, ones, -(queries**2).sum(-1, keepdims=True) / (2 * h**2)], axis=-1)


def wide_keys(keys, h):
    ones = np.ones((*keys.shape[:-1], 1))
    return np.concatenate([keys, -(keys**2).sum(-1, keepdims=True) / (2 * h**2), ones], axis=-1)
