def cached_attention(x, keys, values, W_Q, W_K, W_V):
    t, n = keys.shape[1], x.shape[1]
    all_keys = torch.hstack([keys, x @ W_K])
    all_values = torch.hstack([values, x @ W_V])
    bias = torch.full((n, t + n), -torch.inf, dtype=x.dtype).triu(t + 1)
    scores = torch.baddbmm(bias.expand(len(x), n, t + n), x @ W_Q, all_keys.mT, alpha=W_K.shape[1] ** -0.5)
    return [scores.softmax(-1) @ all_values, all_keys, all_values]
