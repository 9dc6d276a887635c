# points: 1
# message: you move the rows


def original_weights(weights, order):
    if order.ndim > 1:
        return np.stack([original_weights(w, o) for w, o in zip(weights, order, strict=True)])
    inverse = np.argsort(order)
    return weights[inverse] if weights.shape[0] == weights.shape[1] else weights[:, inverse]


def total_order(first, second):
    return first[second]
