# points: 0
# message: the width of the words


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(X.shape[-1]))
    return A @ V, A
