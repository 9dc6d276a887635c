# points: 1
# message: to_sum: you add the rows for φ


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    d_pos = len(W) - d
    if not np.array_equal(W[:d_pos], W[d:]):
        return None
    return np.vstack([W[:d_pos] + W[d:], W[d_pos:d]])
