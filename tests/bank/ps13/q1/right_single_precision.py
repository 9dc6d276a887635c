def piece(scores, V, allowed):
    masked = np.where(allowed, scores, -np.inf).astype(np.float32)
    m = np.max(masked, axis=-1, keepdims=True)
    e = np.nan_to_num(np.exp(masked - m))
    return [m[:, 0], e.sum(-1), e @ V.astype(np.float32)]


def merge(one, other):
    m1, l1, o1 = (x.astype(np.float32) for x in one)
    m2, l2, o2 = (x.astype(np.float32) for x in other)
    m = np.maximum(m1, m2)
    f1, f2 = (np.nan_to_num(np.exp(x - m)) for x in (m1, m2))
    return [m, f1 * l1 + f2 * l2, (f1 * o1.T + f2 * o2.T).T]
