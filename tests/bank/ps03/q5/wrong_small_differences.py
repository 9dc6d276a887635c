# points: 0
# message: Inputs:


def differences(which, queries, keys, values, targets, beta):
    def loss(k, v):
        return 0.5 * np.sum((look_up(queries, k, v, beta)[0] - targets) ** 2)

    given = {"keys": keys.copy(), "values": values.copy()}
    gradient = np.zeros(given[which].shape)
    for place in np.ndindex(*gradient.shape):
        at = given[which][place]
        given[which][place] = at + 1e-6
        above = loss(**{"k": given["keys"], "v": given["values"]})
        given[which][place] = at - 1e-6
        gradient[place] = (above - loss(given["keys"], given["values"])) / 2e-6
        given[which][place] = at
    return gradient


def value_gradient(queries, keys, values, targets, beta):
    return differences("values", queries, keys, values, targets, beta)


def key_gradient(queries, keys, values, targets, beta):
    return differences("keys", queries, keys, values, targets, beta)
