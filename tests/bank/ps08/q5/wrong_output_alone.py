# points: 0
# message: You return the output alone


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    keys = torch.cat([keys, x @ W_K], dim=1)
    values = torch.cat([values, x @ W_V], dim=1)
    later = torch.ones(n, t + n, dtype=torch.bool).triu(t + 1)
    scores = (x @ W_Q @ keys.mT / W_K.shape[1] ** 0.5).masked_fill(later, -torch.inf)
    return torch.softmax(scores, dim=-1) @ values
