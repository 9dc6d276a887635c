# points: 0
# message: There are n_gates pairs


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (d * d_v + n_gates * d_v**2 - d * (2 * d_k + d_v)) // (d_k + d_v))
