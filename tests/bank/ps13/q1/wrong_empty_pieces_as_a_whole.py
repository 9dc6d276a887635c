# points: 3
# message: if both pieces show nothing, there is NaN


def piece(scores, V, allowed):
    masked = np.where(allowed, scores, -np.inf)
    m = masked.max(1)
    shift = np.where(m == -np.inf, 0.0, m)
    e = np.exp(masked - shift[:, None])
    return m, e.sum(1), e @ V


def merge(one, other):
    if np.isinf(one[0]).all():
        return other
    if np.isinf(other[0]).all():
        return one
    m = np.maximum(one[0], other[0])
    f1, f2 = np.exp(one[0] - m), np.exp(other[0] - m)
    return m, f1 * one[1] + f2 * other[1], f1[:, None] * one[2] + f2[:, None] * other[2]
