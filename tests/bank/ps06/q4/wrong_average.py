# points: 1
# message: to_sum: you average


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    T = np.vstack([np.eye(d), np.eye(len(W) - d, d)])
    return np.linalg.pinv(T) @ W
