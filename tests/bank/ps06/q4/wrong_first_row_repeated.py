# points: 2
# message: each entry of φ meets the first row


def to_pair(W, d_pos):
    return np.vstack([W] + [W[0]] * d_pos)


def to_sum(W, d):
    return W[:d] if (W[: len(W) - d] == W[d:]).all() else None
