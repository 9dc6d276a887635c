# points: 1
# message: are added up


def fewer(W, n_heads, n_kv_heads):
    d = W.shape[1]
    return W.reshape(n_kv_heads, n_heads // n_kv_heads, -1, d).sum(axis=1).reshape(-1, d)


def as_many(W, n_kv_heads, n_heads):
    heads = W.reshape(n_kv_heads, -1, W.shape[1])
    return heads.repeat(n_heads // n_kv_heads, axis=0).reshape(-1, W.shape[1])
