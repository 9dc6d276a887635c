# points: 2
# message: key_gradient: the sign is turned


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta * w * (e @ values.T - np.sum(e * output, axis=1)[:, None])
    return np.einsum("ij,ijd->jd", s, keys - queries[:, None])
