# points: 1
# message: Your result has shape


def shift_matrix(delta, frequencies):
    c, s = np.cos(delta * frequencies), np.sin(delta * frequencies)
    return np.array([[c, -s], [s, c]]).squeeze()
