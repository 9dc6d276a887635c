# points: 1
# message: to_sum: you return a matrix for some pairs that have none


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    extra = W[d:]
    return W[:d] if np.allclose(extra, W[: len(extra)], rtol=0.05) else None
