# points: 2
# message: are recognised


def examine(unknown, d):
    x = torch.randn(3, d, generator=torch.Generator().manual_seed(5)).double()
    y = unknown(x)
    place = "post" if y.mean(-1).abs().max() < 1e-6 else "pre"
    norm = "layer" if y.mean(-1).abs().max() < 1e-6 or (unknown(x + 1) - y - 1).abs().max() < 1e-6 else "rms"
    order = "none" if torch.allclose(unknown(x[[1, 0, 2]])[2], y[2]) else "turned"
    return place, norm, order
