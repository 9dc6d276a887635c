def self_attention(X, W, d_k):
    X, W = X.astype(np.float32), W.astype(np.float32)
    M = W[:, :d_k] @ W[:, d_k : 2 * d_k].T
    A = softmax(X @ M @ np.swapaxes(X, -1, -2) / np.float32(d_k) ** 0.5)
    return A @ X @ W[:, 2 * d_k :], A
