# points: 0
# message: nothing is halved


def cheaper_up_to(d, d_k, d_v, n_gates):
    h = d_v // 2
    recurrent = n_gates * (d * h + h * h)
    return max(0, (recurrent - d * (2 * d_k + d_v)) // (d_k + d_v))
