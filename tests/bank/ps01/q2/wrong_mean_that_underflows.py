# points: 2
# message: Inputs: receptive_field(3, 100)


import numpy as np


def receptive_field(k, n_layers):
    kernel = np.full(k, 1 / k, dtype=np.float32)
    response = np.ones(1, dtype=np.float32)
    for _ in range(n_layers):
        response = np.convolve(response, kernel)
    return int(np.count_nonzero(response))


def layers_needed(distance, k):
    return -(-distance // ((k - 1) // 2))
