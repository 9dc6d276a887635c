# points: 2
# message: your result has shape


def self_attention(X, W, d_k):
    batch = X.reshape(-1, *X.shape[-2:])
    P = batch @ W
    Q, K, V = P[..., :d_k], P[..., d_k : 2 * d_k], P[..., 2 * d_k :]
    weights = softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d_k))
    output = weights @ V
    if len(batch) == 1:
        output, weights = output[0], weights[0]
    return output, weights
