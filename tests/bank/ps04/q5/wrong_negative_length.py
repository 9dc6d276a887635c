# points: 2
# message: there is no length below 1


def square_leads_from(d, d_k, d_v):
    return -(-d * (2 * d_k + d_v) // (d_k + d_v))


def cheaper_up_to(d, d_k, d_v, n_gates):
    return (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v)
