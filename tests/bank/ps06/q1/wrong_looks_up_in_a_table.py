# points: 1
# message: Your code stops with


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    angles = np.arange(1000)[:, None] * base ** (-2 * np.arange(d // 2) / d)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(1000, d)
    return table[positions]
