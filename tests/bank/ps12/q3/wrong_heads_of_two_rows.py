# points: 2
# message: the largest error is


def fewer(W, n_heads, n_kv_heads):
    d = W.shape[1]
    return W.reshape(n_kv_heads, n_heads // n_kv_heads, -1, d).mean(axis=1).reshape(-1, d)


def as_many(W, n_kv_heads, n_heads):
    d = W.shape[1]
    return W.reshape(-1, 1, 2, d).repeat(n_heads // n_kv_heads, axis=1).reshape(-1, d)
