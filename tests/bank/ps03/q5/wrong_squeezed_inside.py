# points: 3
# message: Your result has shape


def value_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    return weights.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    o, w = look_up(queries, keys, values, beta)
    pull = ((values[None] - o[:, None]) @ (o - targets)[:, :, None]).squeeze()
    a = 2 * beta * w * pull
    return (a[:, :, None] * (queries[:, None] - keys)).sum(axis=0)
