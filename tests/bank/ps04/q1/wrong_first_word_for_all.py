# points: 0
# message: All words get the weights of the first one


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(d_k))
    A = np.repeat(A[..., :1, :], Q.shape[-2], axis=-2)
    return A @ V, A
