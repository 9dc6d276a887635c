# points: 3
# message: your exponentials overflow


def cosine_lookup(queries, keys, values, beta):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    e = np.exp(beta * (queries @ keys.mT))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
