# points: 2
# message: take away each row's own


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    t, n = keys.shape[1], x.shape[1]
    s = (x @ W_Q) @ K.mT / K.shape[2] ** 0.5
    e = torch.exp(s - s.max()) * torch.ones(n, t + n).tril(t)
    return e / e.sum(-1, keepdim=True) @ V, K, V
