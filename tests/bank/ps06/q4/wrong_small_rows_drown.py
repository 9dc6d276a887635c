# points: 1
# message: to_sum: you return a matrix for some pairs that have none


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    d_pos = len(W) - d
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, phi = rng.standard_normal(d), rng.standard_normal(d_pos)
        together = x.copy()
        together[:d_pos] += phi
        if not np.allclose(np.concatenate([x, phi]) @ W, together @ W[:d], rtol=1e-4, atol=1e-8):
            return None
    return W[:d]
