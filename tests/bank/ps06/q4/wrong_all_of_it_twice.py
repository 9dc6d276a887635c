# points: 0
# message: to_sum: you compare the whole upper part


def to_pair(W, d_pos):
    return np.vstack([W, W])


def to_sum(W, d):
    return W[:d] if np.array_equal(W[:d], W[d:]) else None
