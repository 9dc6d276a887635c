# points: 2
# message: this order takes back both shuffles


def original_weights(weights, order):
    return weights @ np.eye(order.shape[-1])[order]


def total_order(first, second):
    return np.argsort(second)[np.argsort(first)]
