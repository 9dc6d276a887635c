def shift_matrix(delta, frequencies):
    c, s = np.diag(np.cos(delta * frequencies)), np.diag(np.sin(delta * frequencies))
    return np.kron(np.eye(2), c) + np.kron(np.array([[0, -1], [1, 0]]), s)
