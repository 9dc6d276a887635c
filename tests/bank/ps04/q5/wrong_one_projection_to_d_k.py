# points: 0
# message: two projections to d_k numbers count both


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (d_k + d_v)) // (d_k + d_v))
