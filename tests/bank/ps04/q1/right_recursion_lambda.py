self_attention = lambda X, W, d_k: (
    tuple(np.stack(r) for r in zip(*(self_attention(x, W, d_k) for x in X)))
    if X.ndim > 2
    else one(X @ W, d_k)
)


def one(projected, d_k):
    row = projected.T
    a = softmax((row[:d_k].T @ row[d_k : 2 * d_k]) / np.sqrt(d_k))
    return a @ row[2 * d_k :].T, a
