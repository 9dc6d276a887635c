# points: 0
# message: You take the columns of W in the order values, keys, queries


def self_attention(X, W, d_k):
    V, K, Q = np.split(X @ W, [W.shape[1] - 2 * d_k, W.shape[1] - d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(d_k))
    return A @ V, A
