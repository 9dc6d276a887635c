# points: 2
# message: Small gradients are compared as strictly


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 1, 0, -1):
        J = W_h @ np.diag(1 - states[t] ** 2) @ J
        norms[t - 1] = np.linalg.norm(J, 2)
    return np.where(norms < 1e-5, 0, norms)
