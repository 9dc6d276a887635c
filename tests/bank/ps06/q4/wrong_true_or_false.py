# points: 1
# message: you return True or False


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    return bool((W[: len(W) - d] == W[d:]).all())
