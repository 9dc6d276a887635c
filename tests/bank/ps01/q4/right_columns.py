def gradient_norms(states, W_h):
    J = np.identity(W_h.shape[0])  # of columns: the transpose of the one in the text has the same norm
    norms = np.ones(len(states))
    for t in range(len(states) - 1, 0, -1):
        J = J @ np.diag(1 - states[t] ** 2) @ W_h.T
        norms[t - 1] = np.linalg.norm(J, ord=2)
    return norms
