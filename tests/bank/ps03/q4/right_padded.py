def wide_queries(queries, h):
    beta = 1 / (2 * h**2)
    wide = np.full((*queries.shape[:-1], queries.shape[-1] + 1), np.sqrt(beta))
    wide[..., 1:] = np.sqrt(beta) * queries
    return wide


def wide_keys(keys, h):
    beta = 1 / (2 * h**2)
    wide = np.empty((*keys.shape[:-1], keys.shape[-1] + 1), dtype=np.float64)
    wide[..., 1:] = 2 * np.sqrt(beta) * keys
    wide[..., 0] = -np.sqrt(beta) * np.square(keys).sum(axis=-1)
    return wide
