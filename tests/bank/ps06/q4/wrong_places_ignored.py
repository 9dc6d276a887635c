# points: 2
# message: to_pair: φ meets zeros


def to_pair(W, d_pos):
    return np.vstack([W, np.zeros((d_pos, W.shape[1]))])


def to_sum(W, d):
    return W[:d] if np.allclose(W[: len(W) - d], W[d:]) else None
