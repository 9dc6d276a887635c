# points: 2
# message: the largest error is


def shift_matrix(delta, frequencies):
    C, S = np.diag(np.cos(frequencies)), np.diag(np.sin(frequencies))
    w, V = np.linalg.eig(np.block([[C, -S], [S, C]]))
    return (V @ np.diag(w**delta) @ np.linalg.inv(V)).real
