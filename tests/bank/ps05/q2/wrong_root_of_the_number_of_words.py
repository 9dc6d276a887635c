# points: 1
# message: root of the number of words


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = X_q @ W_Q, X_kv @ W_K, X_kv @ W_V
    d_k, d_v = Q.shape[-1] // n_heads, V.shape[-1] // n_heads
    out, maps = [], []
    for h in range(n_heads):
        q, k = (x[..., h * d_k : (h + 1) * d_k] for x in (Q, K))
        v = V[..., h * d_v : (h + 1) * d_v]
        maps.append(torch.softmax(q @ k.transpose(-2, -1) / k.shape[-2] ** 0.5, dim=-1))
        out.append(maps[-1] @ v)
    return torch.cat(out, dim=-1) @ W_O, torch.stack(maps, dim=-3)
