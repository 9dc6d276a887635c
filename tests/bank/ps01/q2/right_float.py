def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    return np.ceil(distance / ((k - 1) / 2))
