def examine(unknown, d):
    x = torch.arange(1.0, 3 * d + 1).reshape(3, d).sin() * 1e3
    place = "post" if unknown(x).abs().max() < 2 * d else "pre"
    if place == "post":
        norm = "layer" if abs(float(unknown(x).sum())) < 1e-6 else "rms"
    else:
        moved = unknown(x + 500.0) - unknown(x)
        norm = "layer" if float((moved - 500.0).abs().max()) < 1e-3 else "rms"
    small = x / 1e3
    swapped = torch.stack([small[1], small[0], small[2]])
    order = "none" if float((unknown(swapped)[2] - unknown(small)[2]).abs().max()) < 1e-9 else "turned"
    return place, norm, order
