# points: 0
# message: You divide the scores by √d_v


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    weights = softmax(Q @ K.mT / V.shape[-1] ** 0.5)
    return weights @ V, weights
