# points: 3
# message: its message does not say that the width must be even


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"uneven width: {d}")
    angles = positions[..., None] * base ** (-2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, d)
