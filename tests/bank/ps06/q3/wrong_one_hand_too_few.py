# points: 1
# message: you divide by d/2 − 1 in place of d/2


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    half = d // 2
    c = torch.arange(half)
    frequencies = base ** (-2 * c / max(d - 2, 1))

    def turned(x, positions):
        angles = positions[:, None] * frequencies
        a, b = x[..., :half], x[..., half:]
        cosines, sines = torch.cos(angles), torch.sin(angles)
        return torch.cat([a * cosines - b * sines, a * sines + b * cosines], dim=-1)

    scores = turned(queries, query_positions) @ turned(keys, key_positions).transpose(-2, -1)
    return scores / d**0.5
