# points: 1
# message: NotImplementedError


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    raise NotImplementedError
