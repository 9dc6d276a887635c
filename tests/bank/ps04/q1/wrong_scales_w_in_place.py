# points: 0
# message: changes its inputs in place


def self_attention(X, W, d_k):
    W[:, :d_k] /= np.sqrt(d_k)
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT)
    return A @ V, A
