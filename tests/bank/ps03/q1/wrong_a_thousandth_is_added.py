# points: 0
# message: Inputs:


def cosine_lookup(queries, keys, values, beta):
    lengths = [np.linalg.norm(x, axis=-1) + 1e-3 for x in (queries, keys)]
    s = beta * (queries @ keys.mT) / (lengths[0][..., :, None] * lengths[1][..., None, :])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
