def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    d_k, d_v = W_Q.shape[1] // n_heads, W_V.shape[1] // n_heads
    Q, K, V = X_q @ W_Q, X_kv @ W_K, X_kv @ W_V
    joined = torch.zeros(*Q.shape[:-1], n_heads * d_v)
    maps = torch.zeros(*Q.shape[:-2], n_heads, Q.shape[-2], K.shape[-2])
    for h in range(n_heads):
        k, v = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        A = torch.softmax(Q[..., k] @ K[..., k].transpose(-1, -2) / d_k**0.5, dim=-1)
        maps[..., h, :, :] = A
        joined[..., v] = A @ V[..., v]
    return joined @ W_O, maps
