# points: 0
# message: shift_matrix with delta


def shift_matrix(delta, frequencies):
    n = len(frequencies)

    def f(i):
        return np.hstack([np.sin(np.outer(i, frequencies)), np.cos(np.outer(i, frequencies))])

    i = np.linspace(0, 1, 2 * n)
    return np.linalg.solve(f(i), f(i + delta))
