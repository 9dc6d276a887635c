def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError("even widths only; you asked for " + repr(d))
    out = np.empty(positions.shape + (d,), dtype=np.float16)
    for k in range(d // 2):
        angle = positions * base ** (-2.0 * k / d)
        out[..., 2 * k], out[..., 2 * k + 1] = np.sin(angle), np.cos(angle)
    return out
