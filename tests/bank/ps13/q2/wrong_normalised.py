# points: 3
# message: the largest error is


def chunk(Q, K, V, S, gamma):
    n = Q.shape[0]
    i = np.arange(n)
    back = i[:, None] - i[None, :]
    D = np.where(back >= 0, gamma ** np.maximum(back, 0), 0.0)
    weights = np.exp(Q @ K.T) * D
    inside = weights @ V / weights.sum(1, keepdims=True)
    before = (gamma ** (i + 1))[:, None] * (Q @ S)
    old = gamma**n * S
    new = (K * (gamma ** (n - 1 - i))[:, None]).T @ V
    return inside + before, old + new
