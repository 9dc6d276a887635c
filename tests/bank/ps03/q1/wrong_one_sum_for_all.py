# points: 0
# message: All your weights together sum to 1


def cosine_lookup(queries, keys, values, beta):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    s = beta * (queries @ keys.mT)
    e = np.exp(s - s.max())
    w = e / e.sum()
    return w @ values, w
