# points: 2
# message: two factors are missing


def value_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    return weights.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    gap = values - output[:, None, :]
    slopes = weights * (gap * (output - targets)[:, None, :]).sum(-1)
    return (slopes[..., None] * (queries[:, None, :] - keys)).sum(0)
