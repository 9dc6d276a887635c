# points: 1
# message: one layer too many


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    n = 1
    while (k - 1) // 2 * n < distance:
        n += 1
    return n + 1
