# points: 1
# message: only the first row is put back


def original_weights(weights, order):
    out = weights.copy()
    out[..., 0, :] = np.take_along_axis(weights[..., 0, :], np.argsort(order), axis=-1)
    return out


def total_order(first, second):
    return first[second]
