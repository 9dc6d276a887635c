# points: 3
# message: An odd width goes through


def encode(positions, d, base=10000.0):
    angles = positions[..., None] * base ** (-2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, -1)
