import math


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(math.floor((n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) / (d_k + d_v)), 0)
