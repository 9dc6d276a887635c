# points: 0
# message: states of shape (6, 3)


def gradient_norms(states, W_h):
    L, d_h = states.shape
    F = [W_h @ np.diag(1 - h**2) for h in states]
    norms = np.ones(L)
    for t in range(L - 1):
        J = F[L - 1]
        for i in range(t + 1, L - 1):
            J = F[i] @ J
        norms[t] = np.linalg.norm(J, 2)
    return norms
