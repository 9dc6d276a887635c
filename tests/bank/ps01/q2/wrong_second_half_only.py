# points: 2
# message: NotImplementedError
def receptive_field(k, n_layers):
    raise NotImplementedError


def layers_needed(distance, k):
    return (2 * distance + k - 2) // (k - 1)
