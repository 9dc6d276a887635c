def receptive_field(k, n_layers):
    return k + (n_layers - 1) * (k - 1)


def layers_needed(distance, k):
    layers, rest = divmod(distance, k // 2)
    return layers + bool(rest)
