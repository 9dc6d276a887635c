def to_pair(W, d_pos):
    d = len(W)
    return W[np.arange(d + d_pos) % d]


def to_sum(W, d):
    numbers = np.arange(len(W)) % d
    same = W == W[numbers]
    if not np.all(same):
        return None
    return W[:d]
