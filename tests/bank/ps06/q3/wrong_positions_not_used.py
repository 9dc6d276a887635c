# points: 1
# message: stand at the positions 0, 1, 2


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2) / d)

    def turn(x):
        theta = torch.arange(x.shape[-2])[:, None] * speeds
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()], dim=-1)

    return turn(queries) @ turn(keys).mT / d**0.5
