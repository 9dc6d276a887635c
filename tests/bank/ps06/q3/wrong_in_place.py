# points: 0
# message: changes its inputs in place


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2) / d)
    for x, positions in ((queries, query_positions), (keys, key_positions)):
        theta = positions[:, None] * speeds
        a, b = x.clone().chunk(2, dim=-1)
        x[..., : d // 2] = a * theta.cos() - b * theta.sin()
        x[..., d // 2 :] = a * theta.sin() + b * theta.cos()
    return queries @ keys.mT / d**0.5
