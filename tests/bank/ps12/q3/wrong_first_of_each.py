# points: 1
# message: you keep the first head of each group


def fewer(W, n_heads, n_kv_heads):
    heads = W.reshape(n_heads, -1, W.shape[1])[:: n_heads // n_kv_heads]
    return heads.reshape(-1, W.shape[1])


def as_many(W, n_kv_heads, n_heads):
    heads = W.reshape(n_kv_heads, -1, W.shape[1])
    return heads.repeat(n_heads // n_kv_heads, axis=0).reshape(-1, W.shape[1])
