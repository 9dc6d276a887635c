# points: 1
# message: to_sum: you add the rows for φ


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    V = W[:d].copy()
    V[: len(W) - d] += W[d:]
    return V
