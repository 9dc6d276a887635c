# points: 0
# message: stops with NotImplementedError


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    raise NotImplementedError
