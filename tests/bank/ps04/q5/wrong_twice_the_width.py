# points: 2
# message: 2 d is the answer for a layer with a fourth projection


def square_leads_from(d, d_k, d_v):
    return 2 * d


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v))
