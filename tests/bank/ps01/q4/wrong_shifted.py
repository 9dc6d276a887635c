# points: 0
# message: the largest error is


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 2, 0, -1):
        J = W_h @ np.diag(1 - states[t + 1] ** 2) @ J
        norms[t] = np.linalg.norm(J, 2)
    return norms
