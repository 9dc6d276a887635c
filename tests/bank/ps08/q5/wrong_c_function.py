# points: 0
# message: is called in


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    mask = torch.ones(n, t + n).tril(t).bool()
    return torch._C._nn.scaled_dot_product_attention(x @ W_Q, K, V, mask), K, V
