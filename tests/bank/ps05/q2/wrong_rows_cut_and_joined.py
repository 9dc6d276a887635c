# points: 0
# message: and so does what you join of them


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    batch, L_q, L_k = X_q.shape[:-2], X_q.shape[-2], X_kv.shape[-2]
    Q = (X_q @ W_Q).view(*batch, n_heads, L_q, -1)
    K = (X_kv @ W_K).view(*batch, n_heads, L_k, -1)
    V = (X_kv @ W_V).view(*batch, n_heads, L_k, -1)
    weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return (weights @ V).reshape(*batch, L_q, -1) @ W_O, weights
