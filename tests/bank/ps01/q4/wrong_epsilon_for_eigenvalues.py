# points: 2
# message: Small gradients are compared as strictly


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 2, -1, -1):
        J = W_h @ np.diag(1 - states[t + 1] ** 2) @ J
        norms[t] = np.sqrt(np.linalg.eigvalsh(J @ J.T).max() + 1e-30)
    return norms
