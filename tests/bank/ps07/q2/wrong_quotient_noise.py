# points: 2
# message: that divides the rounding, too


def influence(f, x):
    step = 1e-6
    before = f(x)
    L, d = x.shape
    out = torch.zeros(L, L, dtype=torch.bool)
    for j in range(L):
        for c in range(d):
            e = x.clone()
            e[j, c] += step
            out[:, j] |= ((f(e) - before) / step).abs().amax(1) > 1e-9
    return out
