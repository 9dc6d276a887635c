def cosine_lookup(queries, keys, values, beta):
    q = queries / (np.linalg.norm(queries, axis=-1, keepdims=True) + 1e-8)
    k = keys / (np.linalg.norm(keys, axis=-1, keepdims=True) + 1e-8)
    s = beta * (q @ np.swapaxes(k, -1, -2))
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ values, w
