def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    gradient = np.zeros(values.shape)
    for i in range(len(queries)):
        for j in range(len(keys)):
            gradient[j] += w[i, j] * (output[i] - targets[i])
    return gradient


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    gradient = np.zeros(keys.shape)
    for i in range(len(queries)):
        for j in range(len(keys)):
            answer = (values[j] - output[i]) @ (output[i] - targets[i])
            gradient[j] += 2 * beta * w[i, j] * answer * (queries[i] - keys[j])
    return gradient
