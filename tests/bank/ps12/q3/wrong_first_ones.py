# points: 1
# message: you keep the first heads


def fewer(W, n_heads, n_kv_heads):
    return W[: len(W) // n_heads * n_kv_heads]


def as_many(W, n_kv_heads, n_heads):
    heads = W.reshape(n_kv_heads, -1, W.shape[1])
    return heads.repeat(n_heads // n_kv_heads, axis=0).reshape(-1, W.shape[1])
