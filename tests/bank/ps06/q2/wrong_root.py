# points: 0
# message: Your sine is the root of 1 − cos²


def shift_matrix(delta, frequencies):
    c = np.cos(delta * frequencies)
    s = np.sqrt(1 - c**2)
    return np.block([[np.diag(c), -np.diag(s)], [np.diag(s), np.diag(c)]])
