def to_pair(W, d_pos):
    return list(W) + list(W[:d_pos])


def to_sum(W, d):
    return list(W[:d]) if all((W[c] == W[d + c]).all() for c in range(len(W) - d)) else None
