# points: 0
# message: first length at which attention is dearer


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v) + 1)
