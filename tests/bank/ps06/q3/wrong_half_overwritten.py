# points: 0
# message: You overwrite the first half


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2) / d)
    queries, keys = queries.clone(), keys.clone()
    for x, positions in ((queries, query_positions), (keys, key_positions)):
        theta = positions[:, None] * speeds
        a, b = x[..., : d // 2], x[..., d // 2 :]
        x[..., : d // 2] = a * theta.cos() - b * theta.sin()
        x[..., d // 2 :] = a * theta.sin() + b * theta.cos()  # a is no longer what it was
    return queries @ keys.mT / d**0.5
