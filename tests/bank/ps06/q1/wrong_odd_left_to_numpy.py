# points: 3
# message: Some odd widths go through, others stop


def encode(positions, d, base=10000.0):
    angles = positions[..., None] * base ** (-np.arange(0, d, 2) / d)
    phi = np.empty((*positions.shape, d))
    phi[..., 0::2] = np.sin(angles)
    phi[..., 1::2] = np.cos(angles)
    return phi
