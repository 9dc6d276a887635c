# points: 1
# message: at least as many, and the length counts


def square_leads_from(d, d_k, d_v):
    return d * (2 * d_k + d_v) // (d_k + d_v) + 1


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v) - 1) // (d_k + d_v))
