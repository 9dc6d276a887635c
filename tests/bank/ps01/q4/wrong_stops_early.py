# points: 2
# message: Small gradients are compared as strictly


def gradient_norms(states, W_h):
    norms, J = np.zeros(len(states)), np.eye(len(W_h))
    for t in reversed(range(len(states))):
        norms[t] = np.linalg.norm(J, 2)
        if norms[t] < 1e-8:
            break
        J = W_h @ np.diag(1 - states[t] ** 2) @ J
    return norms
