# points: 0
# message: changes its inputs in place


def influence(f, x):
    columns = []
    before = f(x)
    for j in range(len(x)):
        x[j] += torch.arange(1, x.shape[1] + 1) / 7
        after = f(x)
        columns.append(((after - before).abs() > 1e-9).any(dim=1))
        before = after
    return torch.stack(columns, dim=1)
