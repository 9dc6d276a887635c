def encode(positions, d, base=10000.0):
    k, rest = divmod(np.arange(d), 2)
    if d % 2 == 1:
        message = f"d must be Even (got {d})"
        raise ValueError(message)
    angles = np.asarray(positions, dtype=np.longdouble)[..., None] / np.longdouble(base) ** (2 * k / d)
    return np.where(rest, np.cos(angles), np.sin(angles))
