# points: 3.5
# message: counts as 0 where m is taken


def piece(scores, V, allowed):
    s = scores * allowed
    m = s.max(axis=1)
    w = np.exp(s - m[:, None]) * allowed
    return np.where(allowed.any(1), m, -np.inf), w.sum(1), w @ V


def merge(one, other):
    m = np.maximum(one[0], other[0])
    back = np.where(np.isfinite(m), m, 0)
    f, g = np.exp(one[0] - back), np.exp(other[0] - back)
    return m, f * one[1] + g * other[1], f[:, None] * one[2] + g[:, None] * other[2]
