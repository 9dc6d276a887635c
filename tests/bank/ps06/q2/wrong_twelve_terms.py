# points: 2
# message: shift_matrix with delta = 2.5


def shift_matrix(delta, frequencies):
    from math import factorial

    a = delta * frequencies
    s = sum((-1) ** k * a ** (2 * k + 1) / factorial(2 * k + 1) for k in range(12))
    c = sum((-1) ** k * a ** (2 * k) / factorial(2 * k) for k in range(12))
    C, S = np.diag(c), np.diag(s)
    return np.block([[C, -S], [S, C]])
