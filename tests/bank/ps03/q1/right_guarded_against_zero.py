def one_long(x):
    return x / (np.linalg.norm(x, axis=-1, keepdims=True) + 1e-12)


def cosine_lookup(queries, keys, values, beta):
    s = beta * np.einsum("...id,...jd->...ij", one_long(queries), one_long(keys))
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
