# points: 1
# message: Inputs:


def differences(array, output, miss):
    gradient = np.zeros(array.shape)
    for place in np.ndindex(*array.shape):
        step = np.zeros(array.shape)
        step[place] = 1e-5
        gradient[place] = np.sum((output(array + step) - output(array - step)) / 2e-5 * miss)
    return gradient


def value_gradient(queries, keys, values, targets, beta):
    miss = look_up(queries, keys, values, beta)[0] - targets
    return differences(values, lambda v: look_up(queries, keys, v, beta)[0], miss)


def key_gradient(queries, keys, values, targets, beta):
    miss = look_up(queries, keys, values, beta)[0] - targets
    return differences(keys, lambda k: look_up(queries, k, values, beta)[0], miss)
