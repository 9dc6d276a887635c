# points: 1
# message: you divide by d/2 − 1


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    angles = positions[..., None] * base ** -np.linspace(0, 1, d // 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, d)
