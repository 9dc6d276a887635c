# points: 1
# message: The penalty for the length of a key is missing


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, np.ones((*keys.shape[:-1], 1))], axis=-1)
