# points: 2
# message: only the first and the last entry


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        copy = x.clone()
        copy[j, 0] += 1.0
        copy[j, -1] += 0.5
        result[:, j] = ((f(copy) - f(x)).abs() > 1e-9).any(dim=1)
    return result
