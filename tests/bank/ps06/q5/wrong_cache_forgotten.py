# points: 2
# message: the cache comes back as it was


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    all_keys = torch.cat([keys, here @ W_K], dim=1)
    all_values = torch.cat([values, here @ W_V], dim=1)
    output, _ = layers.attention(here @ W_Q, all_keys, all_values)
    return output[:, 0], keys, values
