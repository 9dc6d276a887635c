# points: 0
# message: W_h is missing


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d * d_v - d * (2 * d_k + d_v)) // (d_k + d_v))
