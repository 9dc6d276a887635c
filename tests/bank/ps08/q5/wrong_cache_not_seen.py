# points: 0
# message: The new tokens look at one another alone


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    n = x.shape[1]
    k, v = x @ W_K, x @ W_V
    scores = x @ W_Q @ k.mT / W_K.shape[1] ** 0.5
    later = torch.ones(n, n, dtype=torch.bool).triu(1)
    output = torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1) @ v
    return output, torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
