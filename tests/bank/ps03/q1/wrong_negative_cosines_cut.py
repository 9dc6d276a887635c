# points: 0
# message: You put 0 for negative cosines


def cosine_lookup(queries, keys, values, beta):
    q = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    s = beta * np.maximum(q @ k.mT, 0)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
