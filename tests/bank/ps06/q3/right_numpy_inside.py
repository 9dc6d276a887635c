def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]

    def turn(x, positions):
        x = x.numpy()
        theta = positions.numpy()[:, None] * base ** (-2 * np.arange(d // 2) / d)
        a, b = x[..., : d // 2], x[..., d // 2 :]
        return np.concatenate(
            [a * np.cos(theta) - b * np.sin(theta), a * np.sin(theta) + b * np.cos(theta)], axis=-1
        )

    q, k = turn(queries, query_positions), turn(keys, key_positions)
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(d)
