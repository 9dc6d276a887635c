# points: 0
# message: W_Q and W_K have changed places


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    keys = torch.cat([keys, here @ W_Q], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    out, _ = layers.attention(here @ W_K, keys, values)
    return out[:, 0], keys, values
