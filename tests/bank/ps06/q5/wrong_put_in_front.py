# points: 2
# message: stand before the older ones


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    keys = torch.cat([here @ W_K, keys], dim=1)
    values = torch.cat([here @ W_V, values], dim=1)
    output, _ = layers.attention(here @ W_Q, keys, values)
    return output[:, 0], keys, values
