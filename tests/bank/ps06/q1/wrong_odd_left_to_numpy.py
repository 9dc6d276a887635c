# points: 3
# message: its message does not say that the width must be even


def encode(positions, d, base=10000.0):
    angles = positions[..., None] * base ** (-np.arange(0, d, 2) / d)
    phi = np.empty((*positions.shape, d))
    phi[..., 0::2] = np.sin(angles)
    phi[..., 1::2] = np.cos(angles)
    return phi
