# points: 0
# message: Your mask begins in the upper left corner


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    keys = torch.cat([keys, x @ W_K], dim=1)
    values = torch.cat([values, x @ W_V], dim=1)
    scores = x @ W_Q @ keys.mT / W_K.shape[1] ** 0.5
    mask = torch.ones(scores.shape[1:], dtype=torch.bool).tril()
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1) @ values, keys, values
