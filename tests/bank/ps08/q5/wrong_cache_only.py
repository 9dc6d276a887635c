# points: 0
# message: but not at themselves


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    scores = x @ W_Q @ keys.mT / W_K.shape[1] ** 0.5
    output = torch.softmax(scores, dim=-1) @ values
    return output, torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
