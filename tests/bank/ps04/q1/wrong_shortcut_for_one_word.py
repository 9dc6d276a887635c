# points: 2
# message: Result 2 of 2


def self_attention(X, W, d_k):
    P = X @ W
    Q, K, V = P[..., :d_k], P[..., d_k : 2 * d_k], P[..., 2 * d_k :]
    if X.shape[-2] == 1:
        return V, np.ones((1, 1))
    weights = softmax(Q @ K.mT / np.sqrt(d_k))
    return weights @ V, weights
