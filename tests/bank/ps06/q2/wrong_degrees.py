# points: 0
# message: Your frequencies are taken for degrees


def shift_matrix(delta, frequencies):
    turns = np.deg2rad(delta * frequencies)
    c, s = np.diag(np.cos(turns)), np.diag(np.sin(turns))
    return np.block([[c, -s], [s, c]])
