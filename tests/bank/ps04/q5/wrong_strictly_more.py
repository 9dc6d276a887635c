# points: 2
# message: where both take the same, the length counts


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v) - 1) // (d_k + d_v))
