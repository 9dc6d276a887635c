# points: 1
# message: Negative positions are encoded as if they were positive


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    angles = np.abs(positions)[..., None] * base ** (-2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, d)
