def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = X_q @ W_Q, X_kv @ W_K, X_kv @ W_V
    d_k = Q.shape[-1] // n_heads
    maps, output = [], 0
    for h, (v, W) in enumerate(zip(V.chunk(n_heads, dim=-1), W_O.chunk(n_heads), strict=True)):
        q, k = Q[..., h * d_k : (h + 1) * d_k], K[..., h * d_k : (h + 1) * d_k]
        powers = torch.exp(
            torch.log_softmax((q[..., :, None, :] * k[..., None, :, :]).sum(-1) / d_k**0.5, dim=-1)
        )
        maps.append(powers)
        output = output + powers @ v @ W
    return output, torch.stack(maps, dim=-3)
