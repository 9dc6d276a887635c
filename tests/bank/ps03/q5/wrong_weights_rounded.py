# points: 4
# message: value_gradient (rows from 1 on)


def value_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    return weights.round(12).T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    pull = ((values[None] - output[:, None]) * (output - targets)[:, None]).sum(-1)
    return 2 * beta * ((weights * pull)[..., None] * (queries[:, None] - keys)).sum(0)
