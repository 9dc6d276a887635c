# points: 1
# message: to_sum: you return a matrix


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    return W[:d] if (W[: len(W) - d] == W[d:]).any() else None
