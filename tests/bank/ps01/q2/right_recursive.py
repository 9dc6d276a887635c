def receptive_field(k, n_layers):
    return 1 if n_layers == 0 else receptive_field(k, n_layers - 1) + k - 1


def layers_needed(distance, k):
    reach = k // 2
    return (distance + reach - 1) // reach
