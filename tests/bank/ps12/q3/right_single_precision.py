def fewer(W, n_heads, n_kv_heads):
    heads = np.array(np.split(W.astype(np.float32), n_heads))
    each = n_heads // n_kv_heads
    return np.vstack([heads[g * each : (g + 1) * each].sum(0) / each for g in range(n_kv_heads)])


def as_many(W, n_kv_heads, n_heads):
    heads = np.array(np.split(W.astype(np.float32), n_kv_heads))
    return np.vstack(heads[np.arange(n_heads) * n_kv_heads // n_heads])
