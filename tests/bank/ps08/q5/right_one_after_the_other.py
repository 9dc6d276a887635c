def cached_attention(x, keys, values, W_Q, W_K, W_V):
    outputs = []
    for i in range(x.shape[1]):
        token = x[:, i : i + 1]
        keys = torch.cat([keys, token @ W_K], dim=1)
        values = torch.cat([values, token @ W_V], dim=1)
        scores = (token @ W_Q) @ keys.mT / W_Q.shape[1] ** 0.5
        outputs.append(torch.softmax(scores, dim=-1) @ values)
    return torch.cat(outputs, dim=1), keys, values
