# points: 0
# message: Your code stops with


def shift_matrix(delta, frequencies):
    c, s = np.diag(np.cos(frequencies)), np.diag(np.sin(frequencies))
    return np.linalg.matrix_power(np.block([[c, -s], [s, c]]), delta)
