# points: 2
# message: Your function returns None


def shift_matrix(delta, frequencies):
    C = np.diag(np.cos(abs(delta) * frequencies))
    S = np.diag(np.sin(abs(delta) * frequencies))
    if delta > 0:
        return np.block([[C, -S], [S, C]])
    elif delta < 0:
        return np.block([[C, S], [-S, C]])
