# points: 1
# message: a matrix for some pairs that have none


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    rng = np.random.default_rng(0)
    n = len(W) - d
    x, f = rng.normal(size=(20, d)), rng.normal(size=(20, n))
    s = x.copy()
    s[:, :n] += f
    ok = np.allclose(np.hstack([x, f]) @ W, s @ W[:d])
    return W[:d] if ok else None
