def gradient_norms(states, W_h):
    L = len(states)
    norms = []
    for t in range(L):
        J = np.eye(W_h.shape[0])
        for i in range(t + 1, L):
            J = J @ W_h @ np.diag(1 - states[i] ** 2)
        norms.append(np.linalg.svd(J, compute_uv=False)[0])
    return norms
