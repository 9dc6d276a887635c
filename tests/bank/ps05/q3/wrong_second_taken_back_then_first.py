# points: 2
# message: takes back the second shuffle, then does the first


def original_weights(weights, order):
    return np.take_along_axis(weights, np.argsort(order, axis=-1)[..., None, :], axis=-1)


def total_order(first, second):
    return np.argsort(second)[first]
