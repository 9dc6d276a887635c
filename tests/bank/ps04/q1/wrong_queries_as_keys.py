# points: 0
# message: Your queries serve as keys, too


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ Q.mT / np.sqrt(d_k))
    return A @ V, A
