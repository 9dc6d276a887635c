# points: 1
# message: Your hands get faster


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    speeds = base ** (2 * torch.arange(d // 2) / d)

    def turn(x, positions):
        theta = positions[:, None] * speeds
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()], dim=-1)

    return turn(queries, query_positions) @ turn(keys, key_positions).mT / d**0.5
