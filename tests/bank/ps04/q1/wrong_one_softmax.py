# points: 0
# message: One softmax over the whole square


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    S = np.exp(Q @ K.mT / np.sqrt(d_k))
    A = S / S.sum(axis=(-1, -2), keepdims=True)
    return A @ V, A
