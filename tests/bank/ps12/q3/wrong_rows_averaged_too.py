# points: 1
# message: over the rows of each head


def fewer(W, n_heads, n_kv_heads):
    return W.reshape(n_kv_heads, -1, W.shape[1]).mean(axis=1)


def as_many(W, n_kv_heads, n_heads):
    heads = W.reshape(n_kv_heads, -1, W.shape[1])
    return heads.repeat(n_heads // n_kv_heads, axis=0).reshape(-1, W.shape[1])
