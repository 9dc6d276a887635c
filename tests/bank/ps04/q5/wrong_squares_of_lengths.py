# points: 2
# message: you compare the squares of lengths


def square_leads_from(d, d_k, d_v):
    return int(np.ceil(np.sqrt(d * (2 * d_k + d_v) / (d_k + d_v))))


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v))
