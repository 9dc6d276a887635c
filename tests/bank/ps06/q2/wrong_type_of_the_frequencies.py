# points: 2
# message: Your result is 0 everywhere


def shift_matrix(delta, frequencies):
    n = len(frequencies)
    R = np.zeros((2 * n, 2 * n), dtype=frequencies.dtype)
    i = np.arange(n)
    R[i, i] = R[i + n, i + n] = np.cos(delta * frequencies)
    R[i + n, i] = np.sin(delta * frequencies)
    R[i, i + n] = -np.sin(delta * frequencies)
    return R
