# points: 1
# message: Your rows are those of the positions 0, 1, 2


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    L = positions.shape[-1]
    phi = np.zeros((L, d))
    angles = np.arange(L)[:, None] * base ** (-2 * np.arange(d // 2) / d)
    phi[:, 0::2], phi[:, 1::2] = np.sin(angles), np.cos(angles)
    return np.broadcast_to(phi, (*positions.shape, d))
