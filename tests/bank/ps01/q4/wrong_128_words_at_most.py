# points: 2
# message: Small gradients are compared as strictly


def gradient_norms(states, W_h):
    L = len(states)
    norms = np.zeros(L)
    norms[-1] = 1
    J = np.eye(len(W_h))
    for t in range(L - 2, max(-1, L - 130), -1):
        J = W_h @ np.diag(1 - states[t + 1] ** 2) @ J
        norms[t] = np.linalg.norm(J, 2)
    return norms
