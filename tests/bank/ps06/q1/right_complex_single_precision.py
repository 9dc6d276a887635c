def encode(positions, d, base=10000.0):
    if d & 1:
        raise ValueError(f"even width expected: {d}")
    angles = positions[..., np.newaxis].astype(np.float32) * np.float32(base) ** (-np.arange(0, d, 2) / d)
    hands = np.exp(1j * angles)
    out = np.empty(hands.shape + (2,), dtype=np.float32)
    out[..., 0], out[..., 1] = hands.imag, hands.real
    return out.reshape(*positions.shape, d)
