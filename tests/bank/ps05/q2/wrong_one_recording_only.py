# points: 3
# message: Your code stops with


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    L_q, L_k = len(X_q), len(X_kv)
    Q = (X_q @ W_Q).view(L_q, n_heads, -1).permute(1, 0, 2)
    K = (X_kv @ W_K).view(L_k, n_heads, -1).permute(1, 0, 2)
    V = (X_kv @ W_V).view(L_k, n_heads, -1).permute(1, 0, 2)
    weights = torch.softmax(torch.bmm(Q, K.mT) / Q.shape[-1] ** 0.5, dim=-1)
    return torch.bmm(weights, V).permute(1, 0, 2).reshape(L_q, W_O.shape[0]) @ W_O, weights
