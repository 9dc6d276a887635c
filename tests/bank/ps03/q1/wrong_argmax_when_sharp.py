# points: 3
# message: Cosines that differ by little share the weight


def cosine_lookup(queries, keys, values, beta):
    q = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    s = q @ k.mT
    if beta > 100:
        w = np.eye(keys.shape[-2])[s.argmax(axis=-1)]
    else:
        e = np.exp(beta * s)
        w = e / e.sum(axis=-1, keepdims=True)
    return w @ values, w
