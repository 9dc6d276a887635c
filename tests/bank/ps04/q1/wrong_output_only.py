# points: 0
# message: You return the output alone


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    return softmax(Q @ K.mT / np.sqrt(d_k)) @ V
