# points: 0
# message: key_gradient: the sign is turned


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (targets - output)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = targets - output
    s = 2 * beta * w * (e @ values.T - np.sum(e * output, axis=1)[:, None])
    return s.T @ queries - s.sum(axis=0)[:, None] * keys
