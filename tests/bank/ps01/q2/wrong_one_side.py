# points: 2
# message: You count one side


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1) // 2


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
