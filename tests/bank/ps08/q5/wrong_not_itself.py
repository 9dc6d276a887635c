# points: 0
# message: A new token may look at itself as well


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    Q = x @ W_Q
    K = torch.cat([keys, x @ W_K], dim=1)
    V = torch.cat([values, x @ W_V], dim=1)
    n, t = x.shape[1], keys.shape[1]
    S = Q @ K.transpose(1, 2) / K.shape[-1] ** 0.5
    ok = torch.arange(t + n) < torch.arange(t, t + n)[:, None]
    return torch.softmax(S.masked_fill(~ok, -torch.inf), dim=-1) @ V, K, V
