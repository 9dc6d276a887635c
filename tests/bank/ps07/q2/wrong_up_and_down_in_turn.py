# points: 2
# message: up and down in turn


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        copy = x.clone()
        copy[j] += (-1.0) ** torch.arange(x.shape[1])
        result[:, j] = ((f(copy) - f(x)).abs() > 1e-9).any(dim=1)
    return result
