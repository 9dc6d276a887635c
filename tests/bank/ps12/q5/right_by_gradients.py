def examine(unknown, d):
    x = torch.randn(3, d, generator=torch.Generator().manual_seed(3)).double()

    def jacobian(x):
        return torch.autograd.functional.jacobian(unknown, x)  # (3, d, 3, d)

    y = unknown(x)
    along = torch.einsum("adbe,be->ad", jacobian(x), x)  # how y changes if x grows
    place = "pre" if torch.allclose(along, x) else "post"
    if place == "pre":
        shifted = jacobian(x).sum((2, 3))  # how y changes if 1 is added to all entries
        norm = "layer" if torch.allclose(shifted, torch.ones_like(shifted)) else "rms"
    else:
        norm = (
            "layer"
            if torch.allclose(jacobian(x).sum(1), torch.zeros_like(jacobian(x).sum(1)), atol=1e-6)
            else "rms"
        )
    order = "none" if torch.allclose(unknown(x[torch.tensor([1, 0, 2])])[2], y[2]) else "turned"
    return place, norm, order
