# points: 0
# message: You multiply the scores by √d_k


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT * np.sqrt(d_k))
    return A @ V, A
