def encode(positions, d, base=10000.0):
    if d % 2:
        raise ValueError(f"the width must be even: {d}")
    places = torch.as_tensor(positions, dtype=torch.float64)
    w = torch.tensor(base, dtype=torch.float64) ** (-torch.arange(0, d, 2) / d)
    angles = places.unsqueeze(-1) * w
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).numpy()
