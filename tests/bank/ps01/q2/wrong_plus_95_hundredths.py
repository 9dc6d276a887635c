# points: 1
# message: part of a layer does not do, however small a part is left over
def receptive_field(k, n_layers):
    return 1 + (k - 1) * n_layers


def layers_needed(distance, k):
    return int(distance / (k - 1) * 2 + 0.95)
