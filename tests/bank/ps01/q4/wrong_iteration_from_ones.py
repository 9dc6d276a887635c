# points: 0
# message: the largest error is


def spectral(J):
    v = np.ones(J.shape[1])
    for _ in range(30):
        v = J.T @ (J @ v)
        v = v / np.linalg.norm(v)
    return np.linalg.norm(J @ v)


def gradient_norms(states, W_h):
    L = len(states)
    norms = np.ones(L)
    J = np.eye(len(W_h))
    for t in range(L - 2, -1, -1):
        J = (W_h * (1 - states[t + 1] ** 2)) @ J
        norms[t] = spectral(J)
    return norms
