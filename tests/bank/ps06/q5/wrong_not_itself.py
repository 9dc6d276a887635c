# points: 0
# message: The new word does not attend to itself


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    output, _ = layers.attention(here @ W_Q, keys, values)
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    return output[:, 0], keys, values
