# points: 2
# message: Your result is rounded


def shift_matrix(delta, frequencies):
    C = np.diag(np.cos(delta * frequencies))
    S = np.diag(np.sin(delta * frequencies))
    R = np.block([[C, -S], [S, C]])
    R[np.abs(R) < 1e-2] = 0.0
    return R
