# points: 1
# message: you shuffle the columns once more


def original_weights(weights, order):
    return np.take_along_axis(weights, order[..., None, :], axis=-1)


def total_order(first, second):
    return first[second]
