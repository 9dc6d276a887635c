# points: 3
# message: There is a loop over the tokens


def chunk(Q, K, V, S, gamma):
    n = Q.shape[0]
    i = np.arange(n)
    back = i[:, None] - i[None, :]
    D = np.array([[gamma ** (r - c) if c <= r else 0.0 for c in range(n)] for r in range(n)])
    inside = ((Q @ K.T) * D) @ V
    before = (gamma ** (i + 1))[:, None] * (Q @ S)
    old = gamma**n * S
    new = (K * (gamma ** (n - 1 - i))[:, None]).T @ V
    return inside + before, old + new
