# points: 1
# message: Your exponents are right for d = 4 only


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    k = np.arange(d // 2)
    angles = positions[..., None] * base ** (-k / 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, d)
