# points: 2
# message: you write second[i] to the place first[i]


def original_weights(weights, order):
    return np.take_along_axis(weights, np.argsort(order, axis=-1)[..., None, :], axis=-1)


def total_order(first, second):
    result = np.empty_like(first)
    result[first] = second
    return result
