# points: 2
# message: 0 / 0 is NaN


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    t, n = keys.shape[1], x.shape[1]
    w = torch.softmax((x @ W_Q) @ K.mT / K.shape[2] ** 0.5, dim=-1) * torch.tril(torch.ones(n, t + n), t)
    return (w / w.sum(-1, keepdim=True)) @ V, K, V
