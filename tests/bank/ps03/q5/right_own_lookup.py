def value_gradient(queries, keys, values, targets, beta):
    w = np.exp(-beta * ((queries[:, None] - keys) ** 2).sum(axis=2))
    w = w / w.sum(axis=1, keepdims=True)
    return w.T @ (w @ values) - w.T @ targets


def key_gradient(queries, keys, values, targets, beta):
    q, k, v, t = (x.astype(np.float32) for x in (queries, keys, values, targets))
    w = np.exp(-beta * ((q[:, None] - k) ** 2).sum(axis=2))
    w = w / w.sum(axis=1, keepdims=True)
    o = w @ v
    inner = ((v[None] - o[:, None]) * (o - t)[:, None]).sum(axis=2)
    return (2 * beta * (w * inner)[..., None] * (q[:, None] - k)).sum(axis=0)
