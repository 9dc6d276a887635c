# points: 1
# message: Your hands are counted from k = 1


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    k = np.arange(1, d // 2 + 1)
    angles = positions[..., None] * base ** (-2 * k / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, d)
