# points: 2
# message: the two orders have changed places


def original_weights(weights, order):
    return weights @ np.eye(order.shape[-1])[order]


def total_order(first, second):
    return second[first]
