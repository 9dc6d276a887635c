def shift_matrix(delta, frequencies):
    n = len(frequencies)
    R = np.zeros((2 * n, 2 * n))
    for k in range(n):
        turn = delta * frequencies[k]
        R[k, k] = R[n + k, n + k] = np.cos(turn)
        R[n + k, k] = np.sin(turn)
        R[k, n + k] = -np.sin(turn)
    return R
