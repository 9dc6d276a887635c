# points: 2
# message: putting its entries in another order


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        copy = x.clone()
        copy[j] = copy[j].roll(1)
        result[:, j] = ((f(copy) - f(x)).abs() > 1e-9).any(dim=1)
    return result
