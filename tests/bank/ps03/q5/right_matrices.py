def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return np.einsum("ij,iv->jv", w, output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta * w * (e @ values.T - np.sum(e * output, axis=1)[:, None])
    return s.T @ queries - s.sum(axis=0)[:, None] * keys
