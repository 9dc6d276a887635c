def encode(positions, d, base=10000.0):
    if d % 2 == 1:
        raise ValueError(f"d = {d} is not even")
    w = 1 / base ** (2 * np.arange(d // 2) / d)
    angles = np.multiply.outer(positions, w)
    phi = np.zeros((*positions.shape, d))
    phi[..., ::2] = np.sin(angles)
    phi[..., 1::2] = np.cos(angles)
    return phi
