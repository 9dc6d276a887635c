# points: 3
# message: along axis 1 is missing


def rotary_scores(queries, keys, query_positions, key_positions, base):
    if queries.ndim == 4:
        queries, keys = queries[:, :1], keys[:, :1]
    d = queries.shape[-1]
    w = base ** (-2 * torch.arange(d // 2) / d)

    def turn(x, p):
        t = p[:, None] * w
        a, b = x[..., : d // 2], x[..., d // 2 :]
        return torch.cat([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], -1)

    return turn(queries, query_positions) @ turn(keys, key_positions).mT / d**0.5
