def original_weights(weights, order):
    out = np.zeros(weights.shape)
    np.put_along_axis(out, np.broadcast_to(order[..., None, :], weights.shape), weights, axis=-1)
    return out


def total_order(first, second):
    return [int(first[place]) for place in second]
