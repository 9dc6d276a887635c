# points: 3
# message: is not in the outputs


def chunk(Q, K, V, S, gamma):
    n = Q.shape[0]
    i = np.arange(n)
    back = i[:, None] - i[None, :]
    D = np.where(back >= 0, gamma ** np.maximum(back, 0), 0.0)
    inside = ((Q @ K.T) * D) @ V
    before = (gamma ** (i + 1))[:, None] * (Q @ S)
    old = gamma**n * S
    new = (K * (gamma ** (n - 1 - i))[:, None]).T @ V
    return inside, old + new
