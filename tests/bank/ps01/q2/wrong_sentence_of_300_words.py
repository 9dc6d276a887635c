# points: 2
# message: Inputs: receptive_field(45, 34)


import numpy as np


def receptive_field(k, n_layers):
    depends = np.zeros(301, dtype=bool)
    depends[150] = True
    for _ in range(n_layers):
        new = depends.copy()
        for i in np.flatnonzero(depends):
            new[max(0, i - k // 2) : i + k // 2 + 1] = True
        depends = new
    return int(depends.sum())


def layers_needed(distance, k):
    return -(-distance // (k // 2))
