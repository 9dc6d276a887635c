# points: 2
# message: axis 1 is not the last axis


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(d_k), axis=1)
    return A @ V, A
