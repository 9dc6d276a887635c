# points: 2
# message: Inputs: random numbers


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    if keys.shape[1] == 0:
        return v, k, v  # there is nothing else to look at
    keys, values = torch.cat([keys, k], 1), torch.cat([values, v], 1)
    n, total = x.shape[1], keys.shape[1]
    scores = q @ keys.mT / W_K.shape[1] ** 0.5
    mask = torch.tril(torch.ones(n, total), diagonal=total - n).bool()
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), -1) @ values, keys, values
