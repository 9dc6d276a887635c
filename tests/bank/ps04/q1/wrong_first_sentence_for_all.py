# points: 2
# message: All sentences get the weights of the first one


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.mT / np.sqrt(d_k))
    A = np.broadcast_to(A.reshape(-1, *A.shape[-2:])[0], A.shape)
    return A @ V, A
