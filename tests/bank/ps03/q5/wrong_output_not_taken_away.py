# points: 2
# message: The output moves by v − o, not by v


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    s = 2 * beta * w * ((output - targets) @ values.T)
    return np.einsum("ij,ijd->jd", s, queries[:, None] - keys)
