# points: 0
# message: which is not right. Inputs: d =


def cheaper_up_to(d, d_k, d_v, n_gates):
    if n_gates == 1:
        return 0
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v))
