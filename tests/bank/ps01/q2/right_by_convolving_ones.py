def receptive_field(k, n_layers):
    weights = np.ones(1)
    for _ in range(n_layers):
        weights = np.convolve(weights, np.ones(k)) > 0
    return np.count_nonzero(weights)


def layers_needed(distance, k):
    return next(n for n in range(1, distance + 1) if receptive_field(k, n) >= 2 * distance + 1)
