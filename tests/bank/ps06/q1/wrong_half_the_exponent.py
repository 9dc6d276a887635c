# points: 0
# message: Your exponent is −k/d


def encode(positions, d, base=10000.0):
    angles = positions[..., None] * base ** (-np.arange(d // 2) / d)
    phi = np.empty((*positions.shape, d))
    phi[..., 0::2], phi[..., 1::2] = np.sin(angles), np.cos(angles)
    return phi
