# points: 0
# message: projections of self-attention are missing


def cheaper_up_to(d, d_k, d_v, n_gates):
    return n_gates * d_v * (d + d_v) // (d_k + d_v)
