def examine(unknown, d):
    rng = np.random.default_rng(0)
    x = torch.tensor(rng.normal(size=(4, d)))
    update, of_tenfold = unknown(x) - x, unknown(10 * x) - 10 * x
    place = "pre" if (update - of_tenfold).abs().max() < 1e-5 else "post"
    if place == "pre":
        flat = torch.ones(1, d).double()
        norm = "layer" if torch.allclose(unknown(flat), flat) else "rms"  # nothing is left of it
    else:
        norm = "layer" if unknown(x).sum(-1).abs().max() < 1e-6 else "rms"
    last, again = unknown(x)[-1], unknown(torch.cat([x[:3].flip(0), x[3:]]))[-1]
    return [place, norm, "turned" if (last - again).norm() > 1e-6 else "none"]
