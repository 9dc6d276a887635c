# points: 2
# message: shift_matrix with delta = 0.3


def shift_matrix(delta, frequencies):
    n = len(frequencies)
    R = np.zeros((2 * n, 2 * n))
    for k, w in enumerate(frequencies):
        old = np.array([[np.sin(w * i), np.cos(w * i)] for i in (0, 1)])
        new = np.array([[np.sin(w * (i + delta)), np.cos(w * (i + delta))] for i in (0, 1)])
        r = np.linalg.solve(old, new)
        R[np.ix_([k, n + k], [k, n + k])] = r
    return R
