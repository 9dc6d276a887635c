# points: 0
# message: Only the query knows its position


def step(x, keys, values, phi, W_Q, W_K, W_V):
    q = (x + phi[keys.shape[1]])[:, None] @ W_Q
    keys = torch.cat([keys, x[:, None] @ W_K], dim=1)
    values = torch.cat([values, x[:, None] @ W_V], dim=1)
    return layers.attention(q, keys, values)[0][:, 0], keys, values
