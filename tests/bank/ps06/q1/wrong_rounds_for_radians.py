# points: 1
# message: 2π


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"d must be even, not {d}")
    w = 2 * np.pi * base ** (-np.arange(0, d, 2) / d)
    t = positions[..., None] * w
    return np.stack([np.sin(t), np.cos(t)], -1).reshape(*positions.shape, d)
