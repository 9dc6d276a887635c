# points: 0
# message: what words 0 to j do together


def influence(f, x):
    before, copy, columns = f(x), x.clone(), []
    for j in range(len(x)):
        copy[j] += torch.linspace(0.3, 0.9, x.shape[1], dtype=x.dtype)
        columns.append(((f(copy) - before).abs() > 1e-9).any(dim=1))
    return torch.stack(columns, dim=1)
