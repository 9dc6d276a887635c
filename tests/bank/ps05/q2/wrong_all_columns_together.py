# points: 1
# message: All your heads have the same weights


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = X_q @ W_Q, X_kv @ W_K, X_kv @ W_V
    weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return weights @ V @ W_O, torch.stack([weights] * n_heads, dim=-3)
