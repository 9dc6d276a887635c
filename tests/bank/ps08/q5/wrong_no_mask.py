# points: 2
# message: each looks at those after it as well


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    keys = torch.cat([keys, x @ W_K], dim=1)
    values = torch.cat([values, x @ W_V], dim=1)
    scores = x @ W_Q @ keys.mT / W_K.shape[1] ** 0.5
    return torch.softmax(scores, dim=-1) @ values, keys, values
