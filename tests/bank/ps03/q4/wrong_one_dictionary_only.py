# points: 3
# message: Your code stops with ValueError


def wide_queries(queries, h):
    return np.hstack([queries / h**2, np.ones((len(queries), 1))])


def wide_keys(keys, h):
    return np.hstack([keys, -(keys**2).sum(axis=1)[:, None] / (2 * h**2)])
