# points: 2
# message: does not double


def receptive_field(k, n_layers):
    return 1 + (k - 1) * (2**n_layers - 1)


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
