# points: 0
# message: Each gate has a W_h of its own


def cheaper_up_to(d, d_k, d_v, n_gates):
    recurrent = n_gates * d * d_v + d_v * d_v
    return max(0, (recurrent - d * (2 * d_k + d_v)) // (d_k + d_v))
