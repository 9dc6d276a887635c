def shift_matrix(delta, frequencies):
    n, a = frequencies.size, delta * frequencies
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.einsum("stk,kl->sktl", turn, np.eye(n)).reshape(2 * n, 2 * n)
