# points: 1
# message: you shuffle the columns once more


def original_weights(weights, order):
    P = np.eye(order.shape[-1])[order]
    return weights @ np.swapaxes(P, -1, -2)


def total_order(first, second):
    return first[second]
