# points: 1
# message: which is not right. Inputs: d =


def cheaper_up_to(d, d_k, d_v, n_gates):
    best = 0
    for L in range(1, 100):
        if L * (d_k + d_v) + d * (2 * d_k + d_v) <= n_gates * d_v * (d + d_v):
            best = L
    return best
