# points: 0
# message: where you have


def gradient_norms(states, W_h):
    rng = np.random.default_rng(0)
    d = len(W_h)
    v = rng.standard_normal((20000, d))
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    norms = np.ones(len(states))
    J = np.eye(d)
    for t in range(len(states) - 1, 0, -1):
        J = W_h @ np.diag(1 - states[t] ** 2) @ J
        norms[t - 1] = np.max(np.linalg.norm(v @ J, axis=1))
    return norms
