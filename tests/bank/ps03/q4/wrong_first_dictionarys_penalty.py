# points: 3
# message: not the bell curve's weights


def wide_queries(queries, h):
    return np.concatenate([queries / h**2, np.ones((*queries.shape[:-1], 1))], axis=-1)


def wide_keys(keys, h):
    first = keys.reshape(-1, *keys.shape[-2:])[0]
    penalty = np.broadcast_to(-(first**2).sum(-1, keepdims=True) / (2 * h**2), (*keys.shape[:-1], 1))
    return np.concatenate([keys, penalty], axis=-1)
