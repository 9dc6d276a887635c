def cached_attention(x, keys, values, W_Q, W_K, W_V):
    q = x @ W_Q / W_Q.shape[1] ** 0.5
    K, V = torch.cat([keys, x @ W_K], 1), torch.cat([values, x @ W_V], 1)
    t, n = keys.shape[1], x.shape[1]
    top = torch.full((x.shape[0], n, 1), -torch.inf)
    z = torch.zeros_like(top)
    acc = torch.zeros(x.shape[0], n, V.shape[2])
    for j in range(t + n):
        first = max(0, j - t)  # the first new token that may look at key j
        s = (q[:, first:] * K[:, None, j]).sum(-1, keepdim=True)
        m = torch.maximum(top[:, first:], s)
        shrink, e = torch.exp(top[:, first:] - m), torch.exp(s - m)
        z[:, first:] = z[:, first:] * shrink + e
        acc[:, first:] = acc[:, first:] * shrink + e * V[:, None, j]
        top[:, first:] = m
    return acc / z, K, V
