# points: 0
# message: it should be its square root


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / d_k)
    return A @ V, A
