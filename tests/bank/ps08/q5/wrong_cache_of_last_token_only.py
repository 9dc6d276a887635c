# points: 0
# message: Inputs: random numbers


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    t, n = keys.shape[1], x.shape[1]
    out = []
    for i in range(n):
        first = max(t - 1, 0)
        k, v = K[:, first : t + i + 1], V[:, first : t + i + 1]
        out.append(torch.softmax((x[:, i : i + 1] @ W_Q) @ k.mT / k.shape[2] ** 0.5, -1) @ v)
    return torch.cat(out, 1), K, V
