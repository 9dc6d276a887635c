# points: 1
# message: stands another number than 1


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, -(queries**2).sum(-1, keepdims=True) / (2 * h**2)], axis=-1)


def wide_keys(keys, h):
    return np.concatenate([keys, -(keys**2).sum(-1, keepdims=True) / (2 * h**2)], axis=-1)
