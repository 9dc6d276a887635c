# points: 0
# message: You divide all keys by one number


def cosine_lookup(queries, keys, values, beta):
    s = beta * (queries @ keys.mT) / np.linalg.norm(queries) / np.linalg.norm(keys)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
