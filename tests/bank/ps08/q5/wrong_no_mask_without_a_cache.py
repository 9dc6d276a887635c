# points: 2
# message: Without a cache each new token
def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    Q = x @ W_Q
    K = torch.cat([keys, x @ W_K], dim=1)
    V = torch.cat([values, x @ W_V], dim=1)
    scores = Q @ K.transpose(1, 2) / K.shape[-1] ** 0.5
    allowed = torch.arange(t + n)[None, :] <= torch.arange(t, t + n)[:, None]
    allowed = allowed | (t == 0)
    weights = torch.softmax(scores.masked_fill(~allowed, -torch.inf), dim=-1)
    return weights @ V, K, V
