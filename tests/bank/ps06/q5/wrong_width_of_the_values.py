# points: 0
# message: √d_v, the width of the values


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    weights = torch.softmax(here @ W_Q @ keys.mT / values.shape[-1] ** 0.5, dim=-1)
    return (weights @ values)[:, 0], keys, values
