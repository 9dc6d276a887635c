def to_pair(W, d_pos):
    W = np.asarray(W, np.float32)
    return [list(row) for row in W] + [list(W[c]) for c in range(d_pos)]


def to_sum(W, d):
    d_pos = W.shape[0] - d
    same = all(abs(W[c, k] - W[d + c, k]) < 1e-6 for c in range(d_pos) for k in range(W.shape[1]))
    return W[:d].astype(np.float32) if same else None
