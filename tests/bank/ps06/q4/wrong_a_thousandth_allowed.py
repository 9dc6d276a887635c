# points: 1
# message: a matrix for some pairs that have none


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    return W[:d] if np.abs(W[d:] - W[: len(W) - d]).max() < 1e-3 else None
