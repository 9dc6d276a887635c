# points: 1
# message: or is the same for all keys


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    penalty = np.full((*keys.shape[:-1], 1), -np.sum(keys**2) / (2 * h**2))
    return np.concatenate([keys, penalty], axis=-1)
