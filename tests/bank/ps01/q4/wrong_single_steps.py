# points: 0
# message: You return the norms of single steps


def gradient_norms(states, W_h):
    steps = [np.linalg.norm(W_h @ np.diag(1 - h**2), 2) for h in states[1:]]
    return np.array([*steps, 1.0])
