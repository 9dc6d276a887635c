# points: 2
# message: there is no length below 1


import math


def square_leads_from(d, d_k, d_v):
    return math.ceil(d * (2 * d_k + d_v) / (d_k + d_v))


def cheaper_up_to(d, d_k, d_v, n_gates):
    return int((n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) / (d_k + d_v))
