# points: 2
# message: same number of dimensions


def step(x, keys, values, phi, W_Q, W_K, W_V):
    t = keys.shape[1]
    here = x + phi[t]
    q, k, v = here @ W_Q, here @ W_K, here @ W_V
    if t == 0:
        return v, k, v
    keys = torch.cat([keys, k[:, None]], dim=1)
    values = torch.cat([values, v[:, None]], dim=1)
    out, _ = layers.attention(q[:, None], keys, values)
    return out[:, 0], keys, values
