# points: 2
# message: there is an axis too many


def original_weights(weights, order):
    return weights[..., np.argsort(order)]


def total_order(first, second):
    return first[second]
