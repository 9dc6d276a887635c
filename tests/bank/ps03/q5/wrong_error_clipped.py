# points: 2
# message: Inputs:


def value_gradient(queries, keys, values, targets, beta):
    o, w = look_up(queries, keys, values, beta)
    return w.T @ (o - targets)


def key_gradient(queries, keys, values, targets, beta):
    o, w = look_up(queries, keys, values, beta)
    g = np.clip(o - targets, -1e6, 1e6) @ values.T
    s = 2 * beta * w * (g - (w * g).sum(axis=1, keepdims=True))
    return s.T @ queries - s.sum(axis=0)[:, None] * keys
