# points: 0
# message: All new words ask the cache of the first sentence


def step(x, keys, values, phi, W_Q, W_K, W_V):
    t = keys.shape[1]
    here = x + phi[t]
    keys = torch.cat([keys, (here @ W_K)[:, None]], dim=1)
    values = torch.cat([values, (here @ W_V)[:, None]], dim=1)
    output, _ = layers.attention(here @ W_Q, keys, values)
    return output[0], keys, values
