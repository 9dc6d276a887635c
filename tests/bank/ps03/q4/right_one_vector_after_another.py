def wide_queries(queries, h):
    return np.apply_along_axis(lambda q: np.array([*(q / h), 5.0 / h]), -1, queries)


def wide_keys(keys, h):
    return np.apply_along_axis(lambda k: np.array([*(k / h), (1.0 - k @ k) / (10 * h)]), -1, keys)
