# points: 0
# message: changes its inputs in place


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    targets -= output
    return -w.T @ targets


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    targets -= output
    s = 2 * beta * w * (np.sum(targets * output, axis=1)[:, None] - targets @ values.T)
    return np.einsum("ij,ijd->jd", s, queries[:, None] - keys)
