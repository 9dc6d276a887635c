# points: 0
# message: W_K stands where W_Q should


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    scores = x @ W_K @ K.mT / W_K.shape[1] ** 0.5
    mask = torch.ones(n, t + n).tril(t).bool()
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    return weights @ V, K, V
