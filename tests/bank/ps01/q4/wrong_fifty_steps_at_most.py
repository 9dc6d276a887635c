# points: 2
# message: Inputs: states of shape (120, 3)


def gradient_norms(states, W_h):
    norms, J = np.zeros(len(states)), np.eye(len(W_h))
    norms[-1] = 1
    for t in range(len(states) - 2, max(-1, len(states) - 52), -1):
        J = W_h * (1 - states[t + 1] ** 2) @ J
        norms[t] = np.linalg.norm(J, 2)
    return norms
