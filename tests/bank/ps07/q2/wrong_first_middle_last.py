# points: 2
# message: the first, the middle and the last entry


def influence(f, x):
    L, d = x.shape
    before = f(x)
    out = torch.zeros(L, L, dtype=torch.bool)
    for j in range(L):
        for c in {0, d // 2, d - 1}:
            moved = x.clone()
            moved[j, c] += 0.37
            out[:, j] |= ((f(moved) - before).abs() > 1e-9).any(dim=1)
    return out
