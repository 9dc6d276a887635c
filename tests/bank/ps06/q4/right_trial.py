def to_pair(W, d_pos):
    d, m = W.shape
    out = np.zeros((d + d_pos, m))
    for column, x in enumerate(np.eye(d + d_pos)):
        word, phi = x[:d].copy(), x[d:]
        word[:d_pos] += phi
        out[column] = word @ W
    return out


def to_sum(W, d):
    candidate = np.array(W[:d])
    return candidate if np.array_equal(to_pair(candidate, len(W) - d), W) else None
