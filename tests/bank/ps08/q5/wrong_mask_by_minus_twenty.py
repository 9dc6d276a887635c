# points: 2
# message: by a number that is too small


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    t, n = keys.shape[1], x.shape[1]
    scores = (x @ W_Q) @ K.mT / K.shape[2] ** 0.5
    scores = scores - 20 * torch.ones(n, t + n).triu(t + 1)
    return torch.softmax(scores, dim=-1) @ V, K, V
