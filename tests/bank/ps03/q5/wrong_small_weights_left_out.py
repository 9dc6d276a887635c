# points: 1
# message: Your result is 0 everywhere


def value_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    weights = np.where(weights < 1e-10, 0.0, weights)
    return weights.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    weights = np.where(weights < 1e-10, 0.0, weights)
    pull = ((values[None] - output[:, None]) * (output - targets)[:, None]).sum(-1)
    return 2 * beta * ((weights * pull)[..., None] * (queries[:, None] - keys)).sum(0)
