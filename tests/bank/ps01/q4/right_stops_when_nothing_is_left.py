def gradient_norms(states, W_h):
    norms = np.zeros(len(states))
    J = np.eye(len(W_h))
    for t in reversed(range(len(states))):
        norms[t] = np.linalg.svd(J)[1].max()
        J = np.matmul(W_h * (1 - np.square(states[t])), J)
        if not J.any() or np.abs(J).max() < 1e-200:
            break  # the rest stays 0
    return norms
