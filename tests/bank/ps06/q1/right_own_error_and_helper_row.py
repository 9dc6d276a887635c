class OddWidth(ValueError):
    pass


def row(i, d, base):
    return [f(i / base ** (2 * k / d)) for k in range(d // 2) for f in (np.sin, np.cos)]


def encode(positions, d, base=10000.0):
    if d % 2 != 0:
        raise OddWidth(f"The width should be even, d={d} is not.")
    if positions.ndim == 1:
        return np.array([row(i, d, base) for i in positions])
    return np.array([encode(p, d, base) for p in positions])
