# points: 1
# message: original_weights


def original_weights(weights, order):
    back = np.take_along_axis(order, order, axis=-1)
    return np.take_along_axis(weights, back[..., None, :], axis=-1)


def total_order(first, second):
    return first[second]
