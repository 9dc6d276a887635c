# points: 2
# message: key_gradient: a factor 2 is missing


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = beta * w * (e @ values.T - np.sum(e * output, axis=1)[:, None])
    return np.einsum("ij,ijd->jd", s, queries[:, None] - keys)
