def original_weights(weights, order):
    if order.ndim > 1:
        return np.stack([original_weights(w, o) for w, o in zip(weights, order, strict=True)])
    return weights[:, [list(order).index(word) for word in range(len(order))]]


def total_order(first, second):
    return np.array([first[s] for s in second])
