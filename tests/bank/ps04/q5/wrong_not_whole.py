# points: 1
# message: a length, and whole


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0.0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) / (d_k + d_v))
