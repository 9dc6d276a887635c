# points: 3
# message: This network leaves out both


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def chunk(Q, K, V, S, gamma):
    n = len(Q)
    i = np.arange(n)
    A = np.tril(phi(Q) @ phi(K).T) * gamma ** np.maximum(i[:, None] - i, 0)
    outputs = A @ V / A.sum(axis=1, keepdims=True) + gamma ** (i[:, None] + 1) * (Q @ S)
    return outputs, gamma**n * S + (K * gamma ** (n - 1 - i)[:, None]).T @ V
