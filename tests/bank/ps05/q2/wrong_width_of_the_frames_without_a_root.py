# points: 1
# message: You divide by the width of the frames, d_q


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = ((x @ W).chunk(n_heads, -1) for x, W in ((X_q, W_Q), (X_kv, W_K), (X_kv, W_V)))
    maps = [torch.softmax(q @ k.mT / (X_q.shape[-1]), -1) for q, k in zip(Q, K, strict=True)]
    return torch.cat([a @ v for a, v in zip(maps, V, strict=True)], -1) @ W_O, torch.stack(maps, -3)
