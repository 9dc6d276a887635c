# points: 0
# message: f = lambda x


def influence(f, x):
    # each word in turn takes the place of the next one; a part that adds them all up does not notice
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for j in range(len(x)):
        other = (j + 1) % len(x)
        copy = x.clone()
        copy[j], copy[other] = x[other], x[j]
        result[:, j] = ((f(copy) - f(x)).abs() > 1e-9).any(dim=1)
    return result
