# points: 0
# message: All sentences are answered with the query of the first


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[None]
    keys = torch.cat([keys, (here @ W_K).transpose(0, 1)], dim=1)
    values = torch.cat([values, (here @ W_V).transpose(0, 1)], dim=1)
    output, _ = layers.attention(here @ W_Q, keys, values)
    return output[:, 0], keys, values
