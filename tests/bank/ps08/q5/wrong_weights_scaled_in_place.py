# points: 0
# message: changes its inputs in place


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    W_Q /= W_Q.shape[1] ** 0.5
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    t, n = keys.shape[1], x.shape[1]
    scores = (x @ W_Q @ K.mT).masked_fill(~torch.ones(n, t + n).tril(t).bool(), -torch.inf)
    return torch.softmax(scores, dim=-1) @ V, K, V
