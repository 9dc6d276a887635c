# points: 2
# message: not by v − t, from where it should be


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta * w * (e @ values.T - np.sum(e * targets, axis=1)[:, None])
    return np.einsum("ij,ijd->jd", s, queries[:, None] - keys)
