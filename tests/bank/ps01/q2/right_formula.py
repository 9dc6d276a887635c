def receptive_field(k, n_layers):
    return n_layers * (k - 1) + 1


def layers_needed(distance, k):
    return int(np.ceil(2 * distance / (k - 1)))
