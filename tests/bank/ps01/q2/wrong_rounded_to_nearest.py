# points: 1
# message: round up, not to the nearest whole number


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    return int(distance / ((k - 1) / 2) + 0.5)
