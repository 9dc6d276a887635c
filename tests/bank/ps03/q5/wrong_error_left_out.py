# points: 3
# message: value_gradient: the error is missing


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return np.repeat(w.sum(axis=0)[:, None], values.shape[1], axis=1)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta * w * (e @ values.T - np.sum(e * output, axis=1, keepdims=True))
    return s.T @ queries - s.sum(axis=0)[:, None] * keys
