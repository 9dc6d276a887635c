# points: 3
# message: expected is


def wide_queries(queries, h):
    return (
        np.concatenate([queries / h**2, np.ones((len(queries), 1))], axis=-1)
        if queries.ndim == 2
        else queries
    )


def wide_keys(keys, h):
    if keys.ndim > 2:
        return keys
    return np.concatenate([keys, -(keys**2).sum(axis=-1, keepdims=True) / (2 * h**2)], axis=-1)
