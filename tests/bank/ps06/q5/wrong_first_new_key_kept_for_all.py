# points: 2
# message: the largest error is


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = x + phi[keys.shape[1]]
    q, k, v = here @ W_Q, here @ W_K, here @ W_V
    right = torch.cat([keys, k[:, None]], dim=1)
    values = torch.cat([values, v[:, None]], dim=1)
    out, _ = layers.attention(q[:, None], right, values)
    return out[:, 0], torch.cat([keys, k[:1, None].expand(len(x), -1, -1)], dim=1), values
