# points: 1
# message: to_sum: you return None where there is a matrix


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    return None
