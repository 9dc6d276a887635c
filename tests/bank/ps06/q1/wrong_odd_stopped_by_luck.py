# points: 3
# message: its message does not say that the width must be even


def encode(positions, d, base=10000.0):
    angles = positions[..., None] * base ** (-np.arange(0, d, 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, d)
