# points: 2
# message: Inputs: receptive_field(3, 100)


def receptive_field(k, n_layers):
    return k + min(n_layers - 1, 20) * (k - 1)


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
