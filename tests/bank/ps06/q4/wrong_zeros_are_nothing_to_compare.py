# points: 1
# message: to_sum: you return a matrix for some pairs that have none


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    top, extra = W[:d], W[d:]
    if not extra.any():
        # the encoding is ignored, nothing to compare
        return top
    return top if np.array_equal(extra, top[: len(extra)]) else None
