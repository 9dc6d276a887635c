# points: 1
# message: you do not compare all rows and columns


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    return W[:d] if np.allclose(W[0], W[d]) else None
