def examine(unknown, d):
    x = torch.randn(5, d, generator=torch.Generator().manual_seed(9))
    y = unknown(x).numpy()
    rms = np.sqrt((y**2).mean(axis=1))
    place = "post" if np.all(np.abs(rms - 1) < 1e-3) else "pre"
    rest = y.mean(axis=1) if place == "post" else unknown(x + 2.0).numpy() - y - 2.0
    norm = "layer" if np.all(np.abs(rest) < 1e-3) else "rms"
    z = unknown(x[[3, 1, 0, 2, 4]]).numpy()
    return np.array([place, norm, "none" if np.abs(z[4] - y[4]).max() < 1e-4 else "turned"]).tolist()
