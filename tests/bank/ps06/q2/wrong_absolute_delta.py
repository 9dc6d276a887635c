# points: 0
# message: A negative Δ turns the hands as far forwards


def shift_matrix(delta, frequencies):
    angles = abs(delta) * frequencies
    c, s = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[c, -s], [s, c]])
