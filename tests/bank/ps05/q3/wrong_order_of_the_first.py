# points: 2
# message: you use the order of the first recording for all


def original_weights(weights, order):
    inverse = np.argsort(order.reshape(-1, order.shape[-1])[0])
    return weights[..., inverse]


def total_order(first, second):
    return first[second]
