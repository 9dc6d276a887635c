def self_attention(X, W, d_k):
    all_three = X @ W
    Q, K, V = all_three[..., :d_k], all_three[..., d_k : 2 * d_k], all_three[..., 2 * d_k :]
    A = softmax(Q @ K.mT / d_k**0.5, axis=-1)
    return A @ V, A
