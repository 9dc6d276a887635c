# points: 0
# message: Your scores are dot products


def cosine_lookup(queries, keys, values, beta):
    s = beta * (queries @ keys.mT)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
