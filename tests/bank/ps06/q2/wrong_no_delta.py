# points: 0
# message: Δ is missing


def shift_matrix(delta, frequencies):
    c, s = np.diag(np.cos(frequencies)), np.diag(np.sin(frequencies))
    return np.block([[c, -s], [s, c]])
