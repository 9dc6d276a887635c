# points: 3
# message: the number of subscripts


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    w = base ** (-2 * torch.arange(d // 2) / d)

    def turn(x, p):
        t = p[:, None] * w
        a, b = x[..., : d // 2], x[..., d // 2 :]
        return torch.cat([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], -1)

    q, k = turn(queries, query_positions), turn(keys, key_positions)
    if q.ndim == 2:
        return q @ k.T / d**0.5
    return torch.einsum("bhid,bhjd->bhij", q, k) / d**0.5
