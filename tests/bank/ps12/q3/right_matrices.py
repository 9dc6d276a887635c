def fewer(W, n_heads, n_kv_heads):
    each = n_heads // n_kv_heads
    average = np.kron(np.eye(n_kv_heads), np.full((1, each), 1 / each))  # (G, H)
    return np.kron(average, np.eye(len(W) // n_heads)) @ W


def as_many(W, n_kv_heads, n_heads):
    copies = np.kron(np.eye(n_kv_heads), np.ones((n_heads // n_kv_heads, 1)))  # (H, G)
    return np.kron(copies, np.eye(len(W) // n_kv_heads)) @ W
