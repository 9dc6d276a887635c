# points: 1
# message: Inputs: layers_needed(100, 3)


def receptive_field(k, n_layers):
    return n_layers * (k - 1) + 1


def layers_needed(distance, k):
    for n in range(1, 100):
        if receptive_field(k, n) >= 2 * distance + 1:
            return n
