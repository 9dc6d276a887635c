# points: 2
# message: by a number that is too small


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    keys = torch.cat([keys, x @ W_K], dim=1)
    values = torch.cat([values, x @ W_V], dim=1)
    scores = (x @ W_Q) @ keys.mT / W_K.shape[1] ** 0.5
    scores = scores.masked_fill(torch.ones(n, t + n).tril(t) == 0, -10_000.0)
    return torch.softmax(scores, dim=-1) @ values, keys, values
