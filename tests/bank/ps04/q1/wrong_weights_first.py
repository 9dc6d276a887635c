# points: 0
# message: the output comes first


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(d_k))
    return A, A @ V
