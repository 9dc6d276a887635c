# points: 1
# message: Sine and cosine have changed places


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    angles = positions[..., None] * base ** (-2 * np.arange(d // 2) / d)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(*positions.shape, d)
