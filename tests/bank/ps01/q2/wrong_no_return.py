# points: 2
# message: returns None


def receptive_field(k, n_layers):
    1 + n_layers * (k - 1)


def layers_needed(distance, k):
    return -(-distance // (k // 2))
