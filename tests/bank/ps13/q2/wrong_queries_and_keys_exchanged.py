# points: 1
# message: changed places


def chunk(Q, K, V, S, gamma):
    Q, K = K, Q
    n = Q.shape[0]
    i = np.arange(n)
    back = i[:, None] - i[None, :]
    D = np.where(back >= 0, gamma ** np.maximum(back, 0), 0.0)
    inside = ((Q @ K.T) * D) @ V
    before = (gamma ** (i + 1))[:, None] * (Q @ S)
    old = gamma**n * S
    new = (K * (gamma ** (n - 1 - i))[:, None]).T @ V
    return inside + before, old + new
