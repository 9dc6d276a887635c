# points: 0
# message: You divide by √(d/2)


def rotary_scores(queries, keys, query_positions, key_positions, base):
    half = queries.shape[-1] // 2
    speeds = base ** (-torch.arange(half) / half)

    def turn(x, positions):
        theta = positions[:, None] * speeds
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()], dim=-1)

    return turn(queries, query_positions) @ turn(keys, key_positions).mT / half**0.5
