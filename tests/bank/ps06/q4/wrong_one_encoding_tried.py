# points: 1
# message: to_sum: you return a matrix for some pairs that have none


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    d_pos = len(W) - d
    phi = np.arange(1.0, d_pos + 1)
    with_pair = phi @ W[d:]
    with_sum = phi @ W[:d_pos]
    return W[:d] if np.allclose(with_pair, with_sum) else None
