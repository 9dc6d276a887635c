# points: 2
# message: All sentences are read as one


def self_attention(X, W, d_k):
    batch = X.shape[:-1]
    X = X.reshape(-1, X.shape[-1])
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    A = softmax(Q @ K.T / np.sqrt(d_k))
    return (A @ V).reshape(*batch, -1), A
