def chunk(Q, K, V, S, gamma):
    n = len(Q)
    p = np.array([gamma ** (t + 1) for t in range(n)])
    i = np.arange(n)
    A = np.tril(gamma ** (i[:, None] - i))
    out = (Q @ K.T * A) @ V + p[:, None] * (Q @ S)
    faded = np.array([gamma ** (n - 1 - t) for t in range(n)])
    return out, p[-1] * S + (K * faded[:, None]).T @ V
