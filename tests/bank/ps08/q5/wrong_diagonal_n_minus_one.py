# points: 2
# message: Inputs: random numbers


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    n = x.shape[1]
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    scores = x @ W_Q @ K.mT / K.shape[-1] ** 0.5
    if n > 1:
        mask = torch.tril(torch.ones(n, K.shape[1], dtype=torch.bool), diagonal=n - 1)
        scores[:, ~mask] = -torch.inf
    return torch.softmax(scores, dim=-1) @ V, K, V
