def to_pair(W, d_pos):
    d, m = W.shape
    units = []
    for k in range(d + d_pos):
        pair = np.zeros(d + d_pos)
        pair[k] = 1
        x, phi = pair[:d].copy(), pair[d:]
        x[:d_pos] += phi
        units.append(x @ W)
    return np.array(units).reshape(d + d_pos, m)


def to_sum(W, d):
    d_pos = W.shape[0] - d
    must_be = np.stack([np.eye(d + d_pos)[k] @ W for k in range(d)])
    for k in range(d_pos):
        phi = np.eye(d_pos)[k]
        through_pair = np.concatenate([np.zeros(d), phi]) @ W
        through_sum = np.concatenate([phi, np.zeros(d - d_pos)]) @ must_be
        if (through_pair != through_sum).any():
            return None
    return must_be
