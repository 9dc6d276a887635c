# points: 3
# message: All sentences get the rows of the first


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    one = positions.reshape(-1, positions.shape[-1])[0]
    angles = one[:, None] * base ** (-2 * np.arange(d // 2) / d)
    phi = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(one), d)
    return np.broadcast_to(phi, (*positions.shape, d))
