# points: 0
# message: Your code stops with


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, 3, axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(d_k))
    return A @ V, A
