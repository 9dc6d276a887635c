# points: 2.5
# message: so that ℓ is 1


def piece(scores, V, allowed):
    masked = np.where(allowed, scores, -np.inf)
    m = masked.max(1)
    shift = np.where(m == -np.inf, 0.0, m)
    e = np.exp(masked - shift[:, None])
    e = e / np.maximum(e.sum(1, keepdims=True), 1e-30)
    return m, e.sum(1), e @ V


def merge(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = np.maximum(m1, m2)
    shift = np.where(m == -np.inf, 0.0, m)
    f1, f2 = np.exp(m1 - shift), np.exp(m2 - shift)
    return m, f1 * l1 + f2 * l2, f1[:, None] * o1 + f2[:, None] * o2
