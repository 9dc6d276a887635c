# points: 2
# message: Your code stops with IndexError


def original_weights(weights, order):
    inverse = np.argsort(order, axis=-1)
    out = np.zeros_like(weights)
    if order.ndim == 1:
        out[:] = weights[:, inverse]
    elif order.ndim == 2:
        for b in range(len(order)):
            out[b] = weights[b][:, inverse[b]]
    else:
        for a in range(order.shape[0]):
            for b in range(order.shape[1]):
                out[a, b] = weights[a, b][:, inverse[a, b]]
    return out


def total_order(first, second):
    return first[second]
