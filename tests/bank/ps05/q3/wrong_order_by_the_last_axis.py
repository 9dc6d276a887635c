# points: 2
# message: right numbers at the wrong places


def original_weights(weights, order):
    L_k = order.shape[-1]
    inverse = np.argsort(order, axis=-1)
    while inverse.ndim > 2:
        inverse = inverse[0]
    out = np.empty_like(weights)
    if inverse.ndim == 1:
        return weights[..., inverse]
    for b in range(len(inverse)):
        out[..., b, :, :] = weights[..., b, :, :][..., inverse[b]]
    return out


def total_order(first, second):
    return first[second]
