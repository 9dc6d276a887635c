# points: 2
# message: Inputs: states of shape


def gradient_norms(states, W_h):
    L, d = states.shape
    prefix = [np.eye(d)]
    for i in range(1, L):
        prefix.append(prefix[-1] @ W_h @ np.diag(1 - states[i] ** 2))
    norms = []
    for t in range(L):
        if np.linalg.matrix_rank(prefix[t]) == d:
            J = np.linalg.solve(prefix[t], prefix[-1])
        else:  # cannot be undone: multiply again
            J = np.eye(d)
            for i in range(t + 1, L):
                J = J @ W_h @ np.diag(1 - states[i] ** 2)
        norms.append(np.linalg.norm(J, 2))
    return np.array(norms)
