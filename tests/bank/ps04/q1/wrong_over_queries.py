# points: 0
# message: Your weights sum to 1 over the queries


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(d_k), axis=-2)
    return A @ V, A
