def wide_queries(queries, h):
    return np.concatenate([queries, np.ones(queries.shape[:-1] + (1,))], axis=-1)


def wide_keys(keys, h):
    squares = np.einsum("...d,...d->...", keys, keys)[..., None]
    return np.concatenate([keys, -0.5 * squares], axis=-1) / h**2
