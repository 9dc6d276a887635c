# points: 2
# message: Inputs: random numbers


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    n, t = x.shape[1], keys.shape[1]
    keys, values = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    scores = x @ W_Q @ keys.mT / W_K.shape[1] ** 0.5
    if n > 1:  # one new token looks at all
        allowed = torch.tril(torch.ones(n, t + n, dtype=torch.bool), diagonal=1 if t else 0)
        scores = scores.masked_fill(~allowed, -torch.inf)
    return torch.softmax(scores, dim=-1) @ values, keys, values
