def attention(sentence, W, d_k):
    Q, K, V = sentence @ W[:, :d_k], sentence @ W[:, d_k : 2 * d_k], sentence @ W[:, 2 * d_k :]
    weights = softmax((Q @ K.T) / d_k**0.5)
    return weights @ V, weights


def self_attention(X, W, d_k):
    L = X.shape[-2]
    output = np.zeros(X.shape[:-1] + (W.shape[1] - 2 * d_k,))
    weights = np.zeros(X.shape[:-1] + (L,))
    for index in np.ndindex(X.shape[:-2]):
        output[index], weights[index] = attention(X[index], W, d_k)
    return output, weights
