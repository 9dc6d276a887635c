# points: 1
# message: all else you round down


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    return max(distance // ((k - 1) // 2), 1)
