# points: 2
# message: right numbers at the wrong places


def original_weights(weights, order):
    names = order.astype(str)
    inverse = np.argsort(names, axis=-1)
    return np.take_along_axis(weights, inverse[..., None, :], axis=-1)


def total_order(first, second):
    return first[second]
