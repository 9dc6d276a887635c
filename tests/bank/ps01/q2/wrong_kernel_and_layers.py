# points: 2
# message: each layer adds k − 1 words, not one


def receptive_field(k, n_layers):
    return k + n_layers


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
