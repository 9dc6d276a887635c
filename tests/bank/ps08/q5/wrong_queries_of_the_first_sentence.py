# points: 0
# message: You take one query for several


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    K = torch.cat([keys, x @ W_K], 1)
    V = torch.cat([values, x @ W_V], 1)
    t, n = keys.shape[1], x.shape[1]
    Q = x @ W_Q
    S = Q[:1] @ K.mT / K.shape[-1] ** 0.5
    S = S.expand(len(x), n, t + n)
    mask = torch.ones(n, t + n).tril(t).bool()
    W = torch.softmax(S.masked_fill(~mask, -torch.inf), -1)
    return W @ V, K, V
