# points: 0
# message: You take only d_k columns for the values


def self_attention(X, W, d_k):
    Z = X @ W
    Q, K, V = Z[..., :d_k], Z[..., d_k : 2 * d_k], Z[..., 2 * d_k : 3 * d_k]
    A = softmax(Q @ K.mT / np.sqrt(d_k))
    return A @ V, A
