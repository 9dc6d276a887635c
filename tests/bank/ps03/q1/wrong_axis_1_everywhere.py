# points: 3
# message: axis=-1


def cosine_lookup(queries, keys, values, beta):
    q = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=1, keepdims=True)
    s = beta * (q @ k.mT)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ values, w
