def fewer(W, n_heads, n_kv_heads):
    d_k, each = len(W) // n_heads, n_heads // n_kv_heads
    new = np.zeros((n_kv_heads * d_k, W.shape[1]))
    for head in range(n_heads):
        group = head // each
        for row in range(d_k):
            new[group * d_k + row] += W[head * d_k + row] / each
    return new


def as_many(W, n_kv_heads, n_heads):
    d_k, rows = len(W) // n_kv_heads, []
    for head in range(n_heads):
        group = head // (n_heads // n_kv_heads)
        rows.extend(W[group * d_k : (group + 1) * d_k].tolist())
    return rows
