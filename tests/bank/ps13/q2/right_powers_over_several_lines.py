def chunk(Q, K, V, S, gamma):
    n = len(Q)
    before = np.array(
        [
            gamma ** (t + 1)
            for t in range(n)
        ]
    )  # fmt: skip
    to_the_end = np.array(
        [
            gamma ** (n - 1 - t)
            for t in range(n)
        ]
    )  # fmt: skip
    back = np.arange(n)[:, None] - np.arange(n)[None, :]
    fading = np.where(back >= 0, gamma ** np.maximum(back, 0), 0)
    outputs = (fading * (Q @ K.T)) @ V + before[:, None] * (Q @ S)
    return outputs, gamma**n * S + (K.T * to_the_end) @ V
