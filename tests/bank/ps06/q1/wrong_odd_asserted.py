# points: 3
# message: stops with AssertionError


def encode(positions, d, base=10000.0):
    assert d % 2 == 0, f"odd width {d}"
    angles = positions[..., None] * base ** (-2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, d)
