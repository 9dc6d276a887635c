# points: 0
# message: You divide by √L


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(X.shape[-2]))
    return A @ V, A
