# points: 2
# message: Only the first query is counted


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return np.outer(w[0], output[0] - targets[0])


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output[0] - targets[0]
    s = 2 * beta * w[0] * ((values - output[0]) @ e)
    return s[:, None] * (queries[0] - keys)
