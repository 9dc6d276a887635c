# points: 0
# message: All sines come first


def encode(positions, d, base=10000.0):
    angles = positions[..., None] * base ** (-2 * np.arange(d // 2) / d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
