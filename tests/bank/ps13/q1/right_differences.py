def piece(scores, V, allowed):
    m = np.max(scores, axis=1, where=allowed, initial=-np.inf)
    e = np.zeros_like(scores)
    np.exp(scores - m[:, None], out=e, where=allowed)
    return m, np.einsum("nc->n", e), np.einsum("nc,cd->nd", e, V)


def merge(one, other):
    stacked = np.stack([one[0], other[0]])
    m = stacked.max(axis=0)
    factors = np.exp(np.where(np.isneginf(stacked), -np.inf, stacked - np.where(np.isneginf(m), 0, m)))
    ell = np.sum(factors * np.stack([one[1], other[1]]), axis=0)
    return m, ell, np.sum(factors[..., None] * np.stack([one[2], other[2]]), axis=0)
