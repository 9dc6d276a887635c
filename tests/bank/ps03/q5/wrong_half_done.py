# points: 2
# message: stops with NotImplementedError


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    raise NotImplementedError
