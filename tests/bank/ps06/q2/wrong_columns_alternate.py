# points: 1
# message: right for columns that alternate, sine, cosine


def shift_matrix(delta, frequencies):
    n = len(frequencies)
    R = np.zeros((2 * n, 2 * n))
    for h, w in enumerate(frequencies):
        c, s = np.cos(delta * w), np.sin(delta * w)
        R[2 * h : 2 * h + 2, 2 * h : 2 * h + 2] = [[c, -s], [s, c]]
    return R
