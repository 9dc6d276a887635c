# points: 0
# message: multiplies the columns of W_h


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 1, 0, -1):
        J = np.diag(1 - states[t] ** 2) @ W_h @ J
        norms[t - 1] = np.linalg.norm(J, 2)
    return norms
