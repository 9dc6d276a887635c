# points: 0
# message: The bandwidth multiplies where it should divide


def wide_queries(queries, h):
    return np.concatenate([queries * h**2, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(-1, keepdims=True) * h**2 / 2], axis=-1)
