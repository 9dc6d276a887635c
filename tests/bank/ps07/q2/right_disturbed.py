def influence(f, x):
    before = f(x)
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    noise = torch.randn(x.shape[1], dtype=x.dtype, generator=torch.Generator().manual_seed(1))
    for j in range(len(x)):
        copy = x.clone()
        copy[j] += noise
        result[:, j] = (f(copy) - before).abs().amax(dim=1) > 1e-8
    return result
