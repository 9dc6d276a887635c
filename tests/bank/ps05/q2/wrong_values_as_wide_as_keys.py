# points: 0
# message: Your code stops with


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    d = W_Q.shape[1] // n_heads
    Q, K, V = X_q @ W_Q, X_kv @ W_K, X_kv @ W_V
    outputs, maps = [], []
    for h in range(n_heads):
        q, k, v = (x[..., h * d : (h + 1) * d] for x in (Q, K, V))
        maps.append(torch.softmax(q @ k.mT / d**0.5, dim=-1))
        outputs.append(maps[-1] @ v)
    return torch.cat(outputs, dim=-1) @ W_O, torch.stack(maps, dim=-3)
