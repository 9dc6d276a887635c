# points: 1
# message: right for k = 3 alone


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    return distance
