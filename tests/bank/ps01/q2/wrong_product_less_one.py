# points: 2
# message: each layer after the first adds k − 1 words, not k


def receptive_field(k, n_layers):
    return k * n_layers - 1


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
