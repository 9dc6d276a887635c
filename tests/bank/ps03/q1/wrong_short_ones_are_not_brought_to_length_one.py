# points: 2
# message: Inputs:


def directions(x):
    return x / np.sqrt(np.maximum((x**2).sum(axis=-1, keepdims=True), 1e-4))


def cosine_lookup(queries, keys, values, beta):
    s = beta * directions(queries) @ directions(keys).mT
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
