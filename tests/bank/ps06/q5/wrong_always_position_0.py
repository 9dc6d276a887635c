# points: 0
# message: Every new word stands at position 0


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x[:, None] + phi[: x[:, None].shape[1]]).float()
    keys = torch.cat([keys, here @ W_K], dim=1)
    values = torch.cat([values, here @ W_V], dim=1)
    output, _ = layers.attention(here @ W_Q, keys, values)
    return output[:, 0], keys, values
