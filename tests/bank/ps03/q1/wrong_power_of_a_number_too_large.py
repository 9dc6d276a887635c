# points: 3
# message: you give everything to the key with the largest cosine


def cosine_lookup(queries, keys, values, beta):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    s = queries @ keys.mT
    s = s - s.max(axis=-1, keepdims=True)
    w = np.exp(beta) ** s
    w = w / w.sum(axis=-1, keepdims=True)
    return w @ values, w
