# points: 0
# message: You add an encoding to queries and keys


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2) / d)

    def place(positions):
        theta = positions[:, None] * speeds
        return torch.cat([theta.sin(), theta.cos()], dim=-1)

    return (queries + place(query_positions)) @ (keys + place(key_positions)).mT / d**0.5
