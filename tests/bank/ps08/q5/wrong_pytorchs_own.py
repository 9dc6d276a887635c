# points: 0
# message: scaled_dot_product_attention is called


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    keys = torch.cat([keys, x @ W_K], dim=1)
    values = torch.cat([values, x @ W_V], dim=1)
    F = torch.nn.functional
    mask = torch.ones(x.shape[1], keys.shape[1], dtype=torch.bool).tril(keys.shape[1] - x.shape[1])
    return F.scaled_dot_product_attention(x @ W_Q, keys, values, attn_mask=mask), keys, values
