def encode(positions, d, base=10000.0):
    if d != 2 * (d // 2):
        raise ValueError("expected an even width, got %d" % d)
    c = np.arange(d)
    angles = np.einsum("...,c->...c", positions, np.exp(-np.log(base) * (c - c % 2) / d))
    return np.cos(angles - (1 - c % 2) * np.pi / 2)  # sin a = cos(a − π/2)
