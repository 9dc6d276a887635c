# points: 2
# message: UFuncTypeError


def shift_matrix(delta, frequencies):
    angles = frequencies.copy()
    angles *= delta
    C, S = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[C, -S], [S, C]])
