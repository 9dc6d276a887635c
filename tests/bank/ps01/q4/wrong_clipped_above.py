# points: 2
# message: the largest error is


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 1, 0, -1):
        J = W_h @ np.diag(1 - states[t] ** 2) @ J
        norms[t - 1] = min(np.linalg.norm(J, 2), 1e6)
    return norms
