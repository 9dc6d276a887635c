# points: 2
# message: Result 1 of 2: the shape (2, 7, 5, 2) is right


def self_attention(X, W, d_k):
    P = X @ W
    Q, K, V = P[..., :d_k], P[..., d_k : 2 * d_k], P[..., 2 * d_k :]
    scores = Q @ K.mT / np.sqrt(d_k)
    weights = softmax(scores, axis=1 if X.ndim == 2 else 2)
    return weights @ V, weights
