# points: 1
# message: or is the same for all keys


def wide_queries(queries, h):
    squares = (queries**2).sum(axis=-1, keepdims=True)
    return np.concatenate([queries / h**2, -squares / (2 * h**2)], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, np.ones((*keys.shape[:-1], 1))], axis=-1)
