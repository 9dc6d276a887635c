# points: 1
# message: to_sum: you return a matrix for some pairs that have none


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    extra = W[d:]
    if (extra - W[: len(extra)]).max() < 1e-9:
        return W[:d]
    return None
