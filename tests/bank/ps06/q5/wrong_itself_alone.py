# points: 0
# message: The new word attends to itself alone


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = (x + phi[keys.shape[1]])[:, None]
    k, v = here @ W_K, here @ W_V
    output, _ = layers.attention(here @ W_Q, k, v)
    return output[:, 0], torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
