# points: 1
# message: You divide without rounding


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    return 2 * distance / (k - 1)
