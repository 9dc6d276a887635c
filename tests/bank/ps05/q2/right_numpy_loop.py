def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    X_q, X_kv, W_Q, W_K, W_V, W_O = (x.numpy() for x in (X_q, X_kv, W_Q, W_K, W_V, W_O))
    d_k, d_v = W_K.shape[1] // n_heads, W_V.shape[1] // n_heads
    output, maps = 0, []
    for h in range(n_heads):
        q = X_q @ W_Q[:, h * d_k : (h + 1) * d_k]
        k = X_kv @ W_K[:, h * d_k : (h + 1) * d_k]
        v = X_kv @ W_V[:, h * d_v : (h + 1) * d_v]
        e = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)
        e = np.exp(e - e.max(axis=-1, keepdims=True))
        maps.append(e / e.sum(axis=-1, keepdims=True))
        output = output + maps[-1] @ v @ W_O[h * d_v : (h + 1) * d_v]
    return output, np.stack(maps, axis=-3)
