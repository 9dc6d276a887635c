# points: 3
# message: NaN


def value_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    return weights.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    o, w = look_up(queries, keys, values, beta)
    grad = np.zeros(keys.shape)
    for i in range(len(queries)):
        for j in range(len(keys)):
            others = (o[i] - w[i, j] * values[j]) / (1 - w[i, j])
            pull = (1 - w[i, j]) * (values[j] - others) @ (o[i] - targets[i])
            grad[j] += beta * w[i, j] * pull * 2 * (queries[i] - keys[j])
    return grad
