# points: 2
# message: Was it all rows that you compared


def examine(unknown, d):
    x = torch.randn(3, d, generator=torch.Generator().manual_seed(5)).double()
    y = unknown(x)
    place = "post" if torch.allclose(y.square().mean(-1), torch.ones(3).double()) else "pre"
    norm = (
        "layer" if (y.mean(-1) if place == "post" else unknown(x + 1) - y - 1).abs().max() < 1e-6 else "rms"
    )
    order = "none" if torch.allclose(unknown(x[[1, 0, 2]]), y[[1, 0, 2]]) else "turned"
    return place, norm, order
