def value_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    return np.matmul(np.transpose(weights), np.subtract(output, targets))


def key_gradient(queries, keys, values, targets, beta):
    output, weights = look_up(queries, keys, values, beta)
    e = output - targets
    pulls = e @ values.T - np.sum(e * output, axis=1)[:, np.newaxis]
    A = 2.0 * beta * weights * pulls
    grad = A.T @ queries - A.sum(axis=0)[:, np.newaxis] * keys
    assert grad.shape == keys.shape
    return grad
