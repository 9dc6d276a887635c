# points: 2
# message: for the key's own alone


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    s = 2 * beta * w * (1 - w) * ((output - targets) @ values.T)
    return np.einsum("ij,ijd->jd", s, queries[:, None] - keys)
