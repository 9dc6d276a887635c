# points: 0
# message: Your sine has the sign of Δ


def shift_matrix(delta, frequencies):
    c = np.cos(delta * frequencies)
    s = np.sign(delta) * np.sqrt(1 - c**2)
    return np.block([[np.diag(c), -np.diag(s)], [np.diag(s), np.diag(c)]])
