# points: 0
# message: the norm of order 1


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 1, 0, -1):
        J = W_h @ np.diag(1 - states[t] ** 2) @ J
        norms[t - 1] = np.linalg.norm(J, 1)
    return norms
