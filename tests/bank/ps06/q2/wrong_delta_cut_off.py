# points: 0
# message: Your Δ is cut off to a whole number


def shift_matrix(delta, frequencies):
    angles = int(delta) * frequencies
    c, s = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[c, -s], [s, c]])
