# points: 2
# message: by a thousandth at least


def influence(f, x):
    before = f(x)
    L, d = x.shape
    out = torch.zeros(L, L, dtype=torch.bool)
    for j in range(L):
        for c in range(d):
            y = x.clone()
            y[j, c] += 2e-7
            out[:, j] |= ((f(y) - before).abs() > 1e-9).any(1)
    return out
