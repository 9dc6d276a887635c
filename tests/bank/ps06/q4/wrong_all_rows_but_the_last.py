# points: 2
# message: Your result has shape


def to_pair(W, d_pos):
    d = W.shape[0]
    if d_pos == d:
        return np.concatenate([W, W])
    return np.concatenate([W, W[:-1]])


def to_sum(W, d):
    top, extra = W[:d], W[d:]
    return top if np.array_equal(extra, top[: len(extra)]) else None
