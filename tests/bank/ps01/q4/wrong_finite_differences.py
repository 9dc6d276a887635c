# points: 0
# message: Small gradients are compared as strictly


def gradient_norms(states, W_h):
    L, d = states.shape
    before = np.arctanh(states)
    norms = np.ones(L)
    for t in range(L - 1):
        J = np.zeros((d, d))
        for a in range(d):
            h = states[t].copy()
            h[a] += 1e-6
            for i in range(t + 1, L):
                h = np.tanh(before[i] + (h - states[i - 1]) @ W_h)
            J[a] = (h - states[-1]) / 1e-6
        norms[t] = np.linalg.norm(J, 2)
    return norms
