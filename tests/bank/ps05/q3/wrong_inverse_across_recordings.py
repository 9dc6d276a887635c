# points: 2
# message: your inverse is taken across the recordings


def original_weights(weights, order):
    return np.take_along_axis(weights, np.argsort(order, axis=0)[..., None, :], axis=-1)


def total_order(first, second):
    return first[second]
