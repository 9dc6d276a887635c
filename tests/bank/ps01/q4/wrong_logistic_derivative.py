# points: 0
# message: which belongs to the logistic function


def gradient_norms(states, W_h):
    norms, J = np.ones(len(states)), np.eye(len(W_h))
    for t in range(len(states) - 1, 0, -1):
        J = W_h @ np.diag(states[t] * (1 - states[t])) @ J
        norms[t - 1] = np.linalg.norm(J, 2)
    return norms
