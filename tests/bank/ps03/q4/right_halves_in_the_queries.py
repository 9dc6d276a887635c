def wide_queries(queries, h):
    return np.append(2 * queries, -np.ones((*queries.shape[:-1], 1)), axis=-1) / (2 * h * h)


def wide_keys(keys, h):
    return np.append(keys, np.linalg.norm(keys, axis=-1, keepdims=True) ** 2, axis=-1)
