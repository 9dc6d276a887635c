def examine(unknown, d):
    x = torch.randn(3, d, generator=torch.Generator().manual_seed(3)).double()
    y, step = unknown(x), 1e-6

    def slope(direction):
        return (unknown(x + step * direction) - unknown(x - step * direction)) / (2 * step)

    place = "pre" if (slope(x) - x).abs().max() < 1e-4 else "post"
    if place == "pre":
        norm = "layer" if (slope(torch.ones_like(x)) - 1).abs().max() < 1e-4 else "rms"
    else:
        norm = "layer" if slope(torch.eye(3, d).double()).sum(1).abs().max() < 1e-4 else "rms"
    order = "none" if torch.allclose(unknown(x[torch.tensor([1, 0, 2])])[2], y[2]) else "turned"
    return place, norm, order
