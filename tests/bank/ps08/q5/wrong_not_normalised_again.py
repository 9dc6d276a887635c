# points: 2
# message: those that are left do not sum to 1


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    K = torch.cat([keys, x @ W_K], 1)
    V = torch.cat([values, x @ W_V], 1)
    t, n = keys.shape[1], x.shape[1]
    Q = x @ W_Q
    S = Q @ K.mT / K.shape[-1] ** 0.5
    S = S.expand(len(x), n, t + n)
    mask = torch.ones(n, t + n).tril(t).bool()
    W = torch.softmax(S, -1) * mask
    return W @ V, K, V
