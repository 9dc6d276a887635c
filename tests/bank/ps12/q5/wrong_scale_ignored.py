# points: 1
# message: says that every layer is pre-norm


def examine(unknown, d):
    x = torch.randn(3, d, generator=torch.Generator().manual_seed(5)).double()
    y = unknown(x)
    place = "post" if torch.allclose(unknown(10 * x), y) else "pre"
    norm = "rms" if (unknown(x + 1) - y - 1).abs().max() > 1e-6 else "layer"
    order = "none" if torch.allclose(unknown(x[[1, 0, 2]])[2], y[2]) else "turned"
    return place, norm, order
