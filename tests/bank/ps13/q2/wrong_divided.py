# points: 3
# message: leaves the division out


def chunk(Q, K, V, S, gamma):
    n = len(Q)
    i = np.arange(n)
    A = np.tril(gamma ** (i[:, None] - i)) * (Q @ K.T)
    outputs = A @ V / A.sum(axis=1, keepdims=True) + gamma ** (i[:, None] + 1) * (Q @ S)
    return outputs, gamma**n * S + (K * gamma ** (n - 1 - i)[:, None]).T @ V
