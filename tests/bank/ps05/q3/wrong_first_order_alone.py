# points: 2
# message: you return the first order alone


def original_weights(weights, order):
    return np.take_along_axis(weights, np.argsort(order)[..., None, :], axis=-1)


def total_order(first, second):
    return first
