# points: 0
# message: the largest difference is


def shift_matrix(delta, frequencies):
    turns = np.deg2rad(delta * frequencies)
    c, s = np.diag(np.cos(turns)), np.diag(np.sin(turns))
    return np.block([[c, -s], [s, c]])
