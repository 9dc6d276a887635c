# points: 0
# message: You divide by the squared length


def cosine_lookup(queries, keys, values, beta):
    queries = queries / (queries**2).sum(-1, keepdims=True)
    keys = keys / (keys**2).sum(-1, keepdims=True)
    s = beta * (queries @ keys.mT)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
