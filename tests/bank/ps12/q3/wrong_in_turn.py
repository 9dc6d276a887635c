# points: 2
# message: your heads take turns


def fewer(W, n_heads, n_kv_heads):
    d = W.shape[1]
    return W.reshape(n_kv_heads, n_heads // n_kv_heads, -1, d).mean(axis=1).reshape(-1, d)


def as_many(W, n_kv_heads, n_heads):
    return np.concatenate([W] * (n_heads // n_kv_heads))
