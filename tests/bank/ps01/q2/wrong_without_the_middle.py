# points: 2
# message: the word in the middle is missing
def receptive_field(k, n_layers):
    return (k - 1) * n_layers


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
