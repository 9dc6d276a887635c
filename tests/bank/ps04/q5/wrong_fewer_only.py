# points: 2
# message: where both take the same, the length counts


import math


def cheaper_up_to(d, d_k, d_v, n_gates):
    most = (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) / (d_k + d_v)
    return max(0, math.ceil(most) - 1)
