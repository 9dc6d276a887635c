def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    if X_q.ndim > 2:
        done = [cross_attention(a, b, W_Q, W_K, W_V, W_O, n_heads) for a, b in zip(X_q, X_kv, strict=True)]
        return torch.stack([o for o, _ in done]), torch.stack([w for _, w in done])
    d_k, d_v = W_Q.shape[1] // n_heads, W_V.shape[1] // n_heads
    A = torch.zeros(n_heads, len(X_q), len(X_kv))
    found = torch.empty(len(X_q), 0)
    for h in range(n_heads):
        q, k = X_q @ W_Q[:, h * d_k : (h + 1) * d_k], X_kv @ W_K[:, h * d_k : (h + 1) * d_k]
        A[h] = (q @ k.T / np.sqrt(d_k)).softmax(dim=1)
        found = torch.cat([found, A[h] @ (X_kv @ W_V[:, h * d_v : (h + 1) * d_v])], dim=1)
    return found @ W_O, A
