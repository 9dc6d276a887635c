# points: 2
# message: takes back


def original_weights(weights, order):
    return weights @ np.eye(order.shape[-1])[order]


def total_order(first, second):
    return np.argsort(first)[second]
