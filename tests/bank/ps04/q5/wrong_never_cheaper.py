# points: 1
# message: Your result is 0, which is not right. Inputs: cheaper_up_to(d=


def square_leads_from(d, d_k, d_v):
    return -(-d * (2 * d_k + d_v) // (d_k + d_v))


def cheaper_up_to(d, d_k, d_v, n_gates):
    return 0
