# points: 0
# message: Your heads take turns


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    outputs, maps = [], []
    for h in range(n_heads):
        q, k, v = (X_q @ W_Q)[..., h::n_heads], (X_kv @ W_K)[..., h::n_heads], (X_kv @ W_V)[..., h::n_heads]
        maps.append(torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1))
        outputs.append(maps[-1] @ v)
    return torch.cat(outputs, dim=-1) @ W_O, torch.stack(maps, dim=-3)
