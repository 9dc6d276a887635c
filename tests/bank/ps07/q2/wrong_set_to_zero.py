# points: 2
# message: You set a word to 0


def influence(f, x):
    columns = []
    for j in range(len(x)):
        copy = x.clone()
        copy[j] = 0
        columns.append(((f(copy) - f(x)).abs() > 1e-9).any(dim=1))
    return torch.stack(columns, dim=1)
