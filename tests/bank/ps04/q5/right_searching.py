def cheaper_up_to(d, d_k, d_v, n_gates):
    L = 0
    while d * (2 * d_k + d_v) + (L + 1) * (d_k + d_v) <= n_gates * d_v * (d + d_v):
        L += 1
    return L
