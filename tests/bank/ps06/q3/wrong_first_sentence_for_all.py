# points: 3
# message: All sentences and heads get the scores of the first


def rotary_scores(queries, keys, query_positions, key_positions, base):
    *front, L_q, d = queries.shape
    speeds = base ** (-torch.arange(0, d, 2) / d)

    def turn(x, positions):
        x = x.reshape(-1, *x.shape[-2:])[0]
        theta = positions[:, None] * speeds
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()], dim=-1)

    scores = turn(queries, query_positions) @ turn(keys, key_positions).mT / d**0.5
    return scores.expand(*front, *scores.shape)
