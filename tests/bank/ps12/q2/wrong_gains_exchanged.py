# points: 5
# message: have changed places


def layer(x, w, n_heads, n_kv_heads):
    h = rms_norm(x, w["gain_1"])
    Q = heads_of(h @ w["W_Q"].T, n_heads)
    K, V = heads_of(h @ w["W_K"].T, n_kv_heads), heads_of(h @ w["W_V"].T, n_kv_heads)
    Q, K = rotate(rms_norm(Q, w["gain_K"])), rotate(rms_norm(K, w["gain_Q"]))
    K, V = (t.repeat_interleave(n_heads // n_kv_heads, 0) for t in (K, V))
    heads, _ = attention(Q, K, V, causal_mask(len(x)))
    x = x + side_by_side(heads) @ w["W_O"].T
    h = rms_norm(x, w["gain_2"])
    inner = F.silu(h @ w["W_1"].T) * (h @ w["W_3"].T)
    return x + inner @ w["W_2"].T


def diagnosis():
    return {4: "B", 5: "A", 7: "C", 9: "D"}
