# points: 0
# message: Result 1 of 2: the shape (5, 2) is right


def self_attention(X, W, d_k):
    width = W.shape[1] // 2
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(width))
    return weights @ V, weights
