# points: 2
# message: Your result has shape


def original_weights(weights, order):
    if len(order) == weights.shape[-1]:
        # one order for all
        return weights[..., np.argsort(order)]
    out = np.zeros_like(weights)
    for b in range(len(order)):
        out[b] = original_weights(weights[b], order[b])
    return out


def total_order(first, second):
    return first[second]
