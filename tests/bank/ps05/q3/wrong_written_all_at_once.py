# points: 2
# message: shape mismatch


def original_weights(weights, order):
    r = np.empty_like(weights)
    r[..., order] = weights
    return r


def total_order(first, second):
    return first[second]
