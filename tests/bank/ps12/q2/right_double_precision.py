def layer(x, w, n_heads, n_kv_heads):
    x, w = x.double(), {name: values.double() for name, values in w.items()}
    normed = rms_norm(x, w["gain_1"])
    each, L = n_heads // n_kv_heads, len(x)
    Q = (normed @ w["W_Q"].T).view(L, n_kv_heads, each, -1).permute(1, 2, 0, 3)  # (G, H / G, L, d_k)
    K = (normed @ w["W_K"].T).view(L, n_kv_heads, 1, -1).permute(1, 2, 0, 3)
    V = (normed @ w["W_V"].T).view(L, n_kv_heads, 1, -1).permute(1, 2, 0, 3)
    Q, K = rotate(rms_norm(Q, w["gain_Q"])), rotate(rms_norm(K, w["gain_K"]))
    read, _ = attention(Q, K, V, causal_mask(L))
    x = x + read.permute(2, 0, 1, 3).reshape(L, -1) @ w["W_O"].T
    normed = rms_norm(x, w["gain_2"])
    a = normed @ w["W_1"].T
    return x + (a * torch.sigmoid(a) * (normed @ w["W_3"].T)) @ w["W_2"].T


def diagnosis():
    return dict(zip([9, 7, 5, 4], "DCAB"))
