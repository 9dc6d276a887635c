# points: 0
# message: different positions


def step(x, keys, values, phi, W_Q, W_K, W_V):
    B, t = keys.shape[:2]
    here = (x + phi[t : t + B])[:, None]
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    out, _ = layers.attention(here @ W_Q, keys, values)
    return out[:, 0], keys, values
