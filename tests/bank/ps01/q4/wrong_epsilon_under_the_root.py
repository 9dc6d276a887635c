# points: 2
# message: Small gradients are compared as strictly as large ones


def gradient_norms(states, W_h):
    J, norms = np.eye(len(W_h)), [1.0]
    for h in states[:0:-1]:
        J = W_h * (1 - h**2) @ J
        norms.append(np.sqrt(np.linalg.eigvalsh(J.T @ J)[-1] + 3e-30))
    return np.array(norms[::-1])
