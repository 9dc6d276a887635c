def cheaper_up_to(d, d_k, d_v, n_gates):
    rest = np.array(n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v))
    return np.maximum(rest // (d_k + d_v), 0)
