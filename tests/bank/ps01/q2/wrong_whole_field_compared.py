# points: 1
# message: you compare the distance, which is to one side, with the whole field


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    n = 1
    while receptive_field(k, n) < distance:
        n += 1
    return n
