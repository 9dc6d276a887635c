# points: 2
# message: Sizes of tensors must match


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    out, _ = layers.attention(here @ W_Q, keys, values)
    return out[:, 0], keys[:1], values[:1]
