# points: 0
# message: the first entry along axis 0 in the place of all


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    output, _ = layers.attention(here @ W_Q, keys, values)
    return output[:1, 0].expand(len(x), -1), keys, values
