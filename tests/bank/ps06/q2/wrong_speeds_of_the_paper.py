# points: 0
# message: Your hands do not have the given speeds


def shift_matrix(delta, frequencies):
    n = len(frequencies)
    turns = delta * 10000 ** (-np.arange(n) / n)
    c, s = np.diag(np.cos(turns)), np.diag(np.sin(turns))
    return np.block([[c, -s], [s, c]])
