# points: 1
# message: reaches (k − 1) / 2 words to each side
def receptive_field(k, n_layers):
    return 1 + (k - 1) * n_layers


def layers_needed(distance, k):
    return -(-distance // (k - 1))
