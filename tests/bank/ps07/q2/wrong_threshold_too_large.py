# points: 2
# message: A faint influence does not count


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        copy = x.clone()
        copy[j] += torch.linspace(1.0, 2.0, x.shape[1])
        result[:, j] = ((f(copy) - f(x)).abs() > 0.05).any(dim=1)
    return result
