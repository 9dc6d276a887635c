# points: 1
# message: φ is applied to queries and keys


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def chunk(Q, K, V, S, gamma):
    Q, K, n = phi(Q), phi(K), len(Q)
    i = np.arange(n)
    G = np.tril(gamma ** (i[:, None] - i))
    outputs = (Q @ K.T * G) @ V + gamma ** (i[:, None] + 1) * (Q @ S)
    return outputs, gamma**n * S + (K * G[-1][:, None]).T @ V
