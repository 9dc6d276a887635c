# points: 2
# message: turn the sign of a word round


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        copy = x.clone()
        copy[j] = -copy[j]
        result[:, j] = ((f(copy) - f(x)).abs() > 1e-9).any(dim=1)
    return result
