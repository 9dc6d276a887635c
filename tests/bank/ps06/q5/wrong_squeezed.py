# points: 0
# message: loses an axis of length 1


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    output, _ = layers.attention(here @ W_Q, keys, values)
    return output.squeeze(), keys, values
