# points: 2
# message: Your code stops with


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.T / np.sqrt(d_k))
    return A @ V, A
