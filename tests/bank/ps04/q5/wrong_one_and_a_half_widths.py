# points: 2
# message: 1.5 d is the answer for d_k = d_v


def square_leads_from(d, d_k, d_v):
    return -(-3 * d // 2)


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v))
