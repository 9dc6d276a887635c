# points: 0
# message: have the same sign


def shift_matrix(delta, frequencies):
    c, s = np.diag(np.cos(delta * frequencies)), np.diag(np.sin(delta * frequencies))
    return np.block([[c, -s], [-s, c]])
