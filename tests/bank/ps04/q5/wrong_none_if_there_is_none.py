# points: 2
# message: answer is 0, not None


def cheaper_up_to(d, d_k, d_v, n_gates):
    L = (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v) or None
    return L if L and L > 0 else None
