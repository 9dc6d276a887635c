# points: 2
# message: the triangle of powers is upside down


def chunk(Q, K, V, S, gamma):
    n = len(Q)
    i = np.arange(n)
    A = np.triu(gamma ** (i - i[:, None]))
    outputs = (Q @ K.T * A) @ V + gamma ** (i + 1)[:, None] * (Q @ S)
    return outputs, gamma**n * S + (A[-1][:, None] * K).T @ V
