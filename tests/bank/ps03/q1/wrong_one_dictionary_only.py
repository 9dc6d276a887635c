# points: 3
# message: Your code stops with ValueError


def cosine_lookup(queries, keys, values, beta):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    s = beta * (queries @ keys.T)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
