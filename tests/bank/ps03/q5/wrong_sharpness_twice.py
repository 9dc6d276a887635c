# points: 2
# message: key_gradient: the sharpness is there twice


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta**2 * w * (e @ values.T - np.sum(e * output, axis=1, keepdims=True))
    return s.T @ queries - s.sum(axis=0)[:, None] * keys
