# points: 2
# message: largest error


def step(x, keys, values, phi, W_Q, W_K, W_V):
    t = int((keys[0].abs().sum(-1) > 0).sum())
    here = (x + phi[t])[:, None]
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    output, _ = layers.attention(here @ W_Q, keys, values)
    return output[:, 0], keys, values
