# points: 0
# message: Only your queries are turned


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    theta = query_positions[:, None] * base ** (-torch.arange(0, d, 2) / d)
    a, b = queries.chunk(2, dim=-1)
    q = torch.cat([a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()], dim=-1)
    return q @ keys.mT / d**0.5
