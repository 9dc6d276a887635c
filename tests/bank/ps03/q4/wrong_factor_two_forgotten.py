# points: 0
# message: The factor 2 of 2 q·k is missing


def wide_queries(queries, h):
    return np.concatenate([queries, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(axis=-1, keepdims=True)], axis=-1) / (2 * h**2)
