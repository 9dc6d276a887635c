# points: 1
# message: to_sum: you compare the rows for φ with the last rows


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    d_pos = len(W) - d
    return W[:d] if np.allclose(W[d - d_pos : d], W[d:]) else None
