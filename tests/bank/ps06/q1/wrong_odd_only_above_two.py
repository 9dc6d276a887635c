# points: 3
# message: Some odd widths go through


def encode(positions, d, base=10000.0):
    if d > 2 and d % 2:
        raise ValueError(f"the width must be even, not {d}")
    angles = positions[..., None] * base ** (-2 * np.arange(max(d // 2, 1)) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, -1)
