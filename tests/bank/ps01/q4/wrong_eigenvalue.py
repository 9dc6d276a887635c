# points: 0
# message: the largest eigenvalue of the matrix itself


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 1, 0, -1):
        J = W_h @ np.diag(1 - states[t] ** 2) @ J
        norms[t - 1] = np.abs(np.linalg.eigvals(J)).max()
    return norms
