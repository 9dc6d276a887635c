def shift_matrix(delta, frequencies):
    a = delta * frequencies
    C, S = np.diag(np.cos(a)), np.diag(np.sin(a))
    return np.block([[C, -S], [S, C]]).tolist()
