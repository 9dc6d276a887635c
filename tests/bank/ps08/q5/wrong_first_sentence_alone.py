# points: 0
# message: shape


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    K, V = torch.cat([keys[0], x[0] @ W_K]), torch.cat([values[0], x[0] @ W_V])
    scores = x[0] @ W_Q @ K.T / W_K.shape[1] ** 0.5
    scores = scores.masked_fill(~torch.ones(n, t + n, dtype=torch.bool).tril(t), -torch.inf)
    return (torch.softmax(scores, dim=-1) @ V)[None], K[None], V[None]
