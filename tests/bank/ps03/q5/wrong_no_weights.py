# points: 0
# message: value_gradient: the weights are missing


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return np.ones_like(w).T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta * (e @ values.T - np.sum(e * output, axis=1)[:, None])
    return np.einsum("ij,ijd->jd", s, queries[:, None] - keys)
