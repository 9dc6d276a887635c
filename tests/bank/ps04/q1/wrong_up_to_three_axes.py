# points: 2
# message: stops with


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax((Q @ K.T if X.ndim == 2 else np.einsum("bik,bjk->bij", Q, K)) / np.sqrt(d_k))
    return A @ V, A
