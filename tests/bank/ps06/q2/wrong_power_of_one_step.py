# points: 2
# message: shift_matrix with delta = 2.5


def shift_matrix(delta, frequencies):
    z = np.exp(1j * frequencies) ** delta
    C, S = np.diag(z.real), np.diag(z.imag)
    return np.block([[C, -S], [S, C]])
