# points: 1
# message: Your exponents are right for d = 4 only


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    half = d // 2
    c = torch.arange(half)
    frequencies = base ** (-c / 2)

    def turned(x, positions):
        angles = positions[:, None] * frequencies
        a, b = x[..., :half], x[..., half:]
        cosines, sines = torch.cos(angles), torch.sin(angles)
        return torch.cat([a * cosines - b * sines, a * sines + b * cosines], dim=-1)

    scores = turned(queries, query_positions) @ turned(keys, key_positions).transpose(-2, -1)
    return scores / d**0.5
