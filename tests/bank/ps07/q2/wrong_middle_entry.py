# points: 2
# message: f = lambda x


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        copy = x.clone()
        copy[j, x.shape[1] // 2] += 1.0
        result[:, j] = ((f(copy) - f(x)).abs() > 1e-9).any(dim=1)
    return result
