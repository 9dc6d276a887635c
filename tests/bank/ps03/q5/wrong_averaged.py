# points: 2
# message: You average over the queries


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets) / len(queries)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta * w * (e @ values.T - np.sum(e * output, axis=1)[:, None])
    return np.mean(s[..., None] * (queries[:, None] - keys), axis=0)
