# points: 3
# message: NaN


def cosine_lookup(queries, keys, values, beta):
    q = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    e = np.exp(beta * (q @ k.mT - 1))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
