# points: 2
# message: Your code stops with


def original_weights(weights, order):
    if order.ndim == 1:
        return weights[:, np.argsort(order)]
    return np.stack([w[:, np.argsort(o)] for w, o in zip(weights, order, strict=True)])


def total_order(first, second):
    return first[second]
