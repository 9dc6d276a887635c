# points: 2
# message: There is no length below 1


import math


def cheaper_up_to(d, d_k, d_v, n_gates):
    return int((n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) / (d_k + d_v))
