def to_pair(W, d_pos):
    return np.r_[W, W[:d_pos, :]]


def to_sum(W, d):
    T = np.concatenate([np.eye(d), np.eye(d)[: len(W) - d]])
    V, *_ = np.linalg.lstsq(T, W, rcond=None)
    if np.allclose(T @ V, W):
        return V
