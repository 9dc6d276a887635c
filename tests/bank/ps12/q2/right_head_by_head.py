def layer(x, w, n_heads, n_kv_heads):
    h = rms_norm(x, w["gain_1"])
    d_k = len(w["gain_Q"])
    outputs = []
    for head in range(n_heads):
        own = slice(head * d_k, (head + 1) * d_k)
        group = head // (n_heads // n_kv_heads)
        shared = slice(group * d_k, (group + 1) * d_k)
        q = rotate(rms_norm(h @ w["W_Q"][own].T, w["gain_Q"]))
        k = rotate(rms_norm(h @ w["W_K"][shared].T, w["gain_K"]))
        scores = (q @ k.T / d_k**0.5).masked_fill(~causal_mask(len(x)), -torch.inf)
        outputs.append(torch.softmax(scores, dim=-1) @ (h @ w["W_V"][shared].T))
    y = x + torch.cat(outputs, dim=-1) @ w["W_O"].T
    h = rms_norm(y, w["gain_2"])
    return y + (F.silu(h @ w["W_1"].T) * (h @ w["W_3"].T)) @ w["W_2"].T


def diagnosis():
    return {"5": "a", "4": "b", "9": "d", "7": "c"}
