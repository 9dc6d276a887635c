# points: 0
# message: Only one pair of matrices is counted


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v))
