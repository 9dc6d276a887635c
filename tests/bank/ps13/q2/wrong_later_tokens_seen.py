# points: 3
# message: and more of them the later they are


def chunk(Q, K, V, S, gamma):
    n = Q.shape[0]
    i = np.arange(n)
    back = i[:, None] - i[None, :]
    D = gamma ** back.astype(float)
    inside = ((Q @ K.T) * D) @ V
    before = (gamma ** (i + 1))[:, None] * (Q @ S)
    old = gamma**n * S
    new = (K * (gamma ** (n - 1 - i))[:, None]).T @ V
    return inside + before, old + new
