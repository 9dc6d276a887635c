# points: 1
# message: You turn neighbouring columns


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2) / d)

    def turn(x, positions):
        theta = positions[:, None] * speeds
        a, b = x[..., 0::2], x[..., 1::2]
        turned = [a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()]
        return torch.stack(turned, dim=-1).flatten(-2)

    return turn(queries, query_positions) @ turn(keys, key_positions).mT / d**0.5
