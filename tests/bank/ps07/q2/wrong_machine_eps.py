# points: 2
# message: by rounding alone


def influence(f, x):
    before = f(x)
    L, d = x.shape
    out = torch.zeros(L, L, dtype=torch.bool)
    for j in range(L):
        for c in range(d):
            e = x.clone()
            e[j, c] += 0.01
            out[:, j] |= (f(e) - before).abs().amax(1) > 4 * torch.finfo(x.dtype).eps
    return out
