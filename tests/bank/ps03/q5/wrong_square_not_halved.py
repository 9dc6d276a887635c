# points: 0
# message: value_gradient: twice too large


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return 2 * w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = 2 * (output - targets)
    s = 2 * beta * w * (e @ values.T - np.sum(e * output, axis=1)[:, None])
    return np.einsum("ij,ijd->jd", s, queries[:, None] - keys)
