# points: 1
# message: however small a part is left over


def receptive_field(k, n_layers):
    return n_layers * (k - 1) + 1


def layers_needed(distance, k):
    return int(distance / ((k - 1) / 2) + 0.9)
