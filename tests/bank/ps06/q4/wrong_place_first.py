# points: 2
# message: to_pair: in the pair [x; φ] the word comes first


def to_pair(W, d_pos):
    return np.vstack([W[:d_pos], W])


def to_sum(W, d):
    return W[:d] if np.allclose(W[: len(W) - d], W[d:]) else None
