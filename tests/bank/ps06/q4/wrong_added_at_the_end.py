# points: 0
# message: to_pair: φ meets the last rows


def to_pair(W, d_pos):
    return np.vstack([W, W[-d_pos:]])


def to_sum(W, d):
    d_pos = len(W) - d
    return W[:d] if np.allclose(W[d - d_pos : d], W[d:]) else None
