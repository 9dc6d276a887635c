# points: 1
# message: nothing has moved yet


def original_weights(weights, order):
    return weights.copy()


def total_order(first, second):
    return first[second]
