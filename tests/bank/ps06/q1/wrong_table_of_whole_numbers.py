# points: 1
# message: it was made with the type of the positions


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    angles = positions[..., None] * base ** (-2 * np.arange(d // 2) / d)
    phi = np.zeros((*positions.shape, d), dtype=positions.dtype)
    phi[..., 0::2], phi[..., 1::2] = np.sin(angles), np.cos(angles)
    return phi
