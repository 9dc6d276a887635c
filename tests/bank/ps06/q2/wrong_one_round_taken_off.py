# points: 2
# message: shift_matrix with delta = 2.5


def shift_matrix(delta, frequencies):
    a = delta * frequencies
    a = np.where(a > np.pi, a - 2 * np.pi, a)
    a = np.where(a < -np.pi, a + 2 * np.pi, a)
    a = np.clip(a, -np.pi, np.pi)
    C, S = np.diag(np.cos(a)), np.diag(np.sin(a))
    return np.block([[C, -S], [S, C]])
