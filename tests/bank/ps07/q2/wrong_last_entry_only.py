# points: 2
# message: Only the last entry of a word counts


def influence(f, x):
    # the second loop overwrites what the first entries did
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        for c in range(x.shape[1]):
            copy = x.clone()
            copy[j, c] += 0.25
            result[:, j] = ((f(copy) - f(x)).abs() > 1e-9).any(dim=1)
    return result
