def original_weights(weights, order):
    out = np.zeros(weights.shape, dtype=np.float16)
    back = np.argsort(order)
    for index in np.ndindex(*weights.shape):
        out[index] = weights[(*index[:-1], back[(*index[:-2], index[-1])])]
    return out


def total_order(first, second):
    return np.array(list(map(first.__getitem__, second)), dtype=float)
