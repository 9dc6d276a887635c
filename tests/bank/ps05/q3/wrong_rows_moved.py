# points: 1
# message: Your


def original_weights(weights, order):
    return weights[np.argsort(order)]


def total_order(first, second):
    return first[second]
