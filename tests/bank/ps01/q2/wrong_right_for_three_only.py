# points: 2
# message: 2 would be right for k = 3 alone


def receptive_field(k, n_layers):
    return 2 * n_layers + 1


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
