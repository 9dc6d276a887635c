def fewer(W, n_heads, n_kv_heads):
    W = torch.tensor(W).unflatten(0, (n_kv_heads, n_heads // n_kv_heads, -1))
    return W.mean(1).flatten(0, 1)


def as_many(W, n_kv_heads, n_heads):
    heads = torch.tensor(W).unflatten(0, (n_kv_heads, -1))
    return heads.repeat_interleave(n_heads // n_kv_heads, 0).flatten(0, 1)
