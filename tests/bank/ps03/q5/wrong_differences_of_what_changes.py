# points: 1
# message: Inputs: key_gradient


def nudged(which, queries, keys, values, targets, beta):
    given = {"keys": keys.copy(), "values": values.copy()}
    gradient = np.zeros(given[which].shape)
    for place in np.ndindex(*gradient.shape):
        losses = []
        for step in (1e-4, -1e-4):
            given[which][place] += step
            o = look_up(queries, given["keys"], given["values"], beta)[0]
            losses.append(np.sum(o * (o / 2 - targets)))  # the squared target does not change
            given[which][place] -= step
        gradient[place] = (losses[0] - losses[1]) / 2e-4
    return gradient


def value_gradient(*given):
    return nudged("values", *given)


def key_gradient(*given):
    return nudged("keys", *given)
