# points: 0
# message: The sharpness has no effect


def cosine_lookup(queries, keys, values, beta):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    e = np.exp(queries @ keys.mT)
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
