def gradient_norms(states, W_h):
    J, norms = np.eye(len(W_h)), []
    for t in range(len(states) - 1, -1, -1):
        norms.append(np.sqrt(np.linalg.eigvalsh(J @ J.T)[-1]))
        J = W_h @ (J * (1 - states[t] ** 2)[:, None])
    return norms[::-1]
