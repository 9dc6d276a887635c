def wide_queries(queries, h):
    q = queries.astype(np.float32)
    return np.concatenate([q / h, np.ones_like(q[..., :1])], axis=-1)


def wide_keys(keys, h):
    k = keys.astype(np.float32) / h
    return np.concatenate([k, -(k**2).sum(axis=-1, keepdims=True) / 2], axis=-1)
