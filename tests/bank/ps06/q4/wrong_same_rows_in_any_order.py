# points: 1
# message: you do not compare all rows and columns


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    d_pos = len(W) - d
    return W[:d] if np.allclose(np.sort(W[:d_pos], axis=0), np.sort(W[d:], axis=0)) else None
