# points: 1
# message: however small a part is left over


def receptive_field(k, n_layers):
    return n_layers * (k - 1) + 1


def layers_needed(distance, k):
    return round(2 * distance / (k - 1) + 0.4)
