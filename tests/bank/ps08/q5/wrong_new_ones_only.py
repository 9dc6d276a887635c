# points: 0
# message: You return the new keys and values alone


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    k, v = x @ W_K, x @ W_V
    later = torch.ones(n, t + n, dtype=torch.bool).triu(t + 1)
    scores = x @ W_Q @ torch.cat([keys, k], dim=1).mT / W_K.shape[1] ** 0.5
    weights = torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1)
    return weights @ torch.cat([values, v], dim=1), k, v
