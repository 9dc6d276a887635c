# points: 1
# message: Each of your columns has a speed of its own


def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even, not {d}")
    phi = positions[..., None] * base ** (-np.arange(d) / d)
    phi[..., 0::2] = np.sin(phi[..., 0::2])
    phi[..., 1::2] = np.cos(phi[..., 1::2])
    return phi
