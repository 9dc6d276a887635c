# points: 2
# message: One that moves is enough


def influence(f, x):
    noise = torch.linspace(0.3, 0.9, x.shape[1], dtype=x.dtype)
    columns = []
    for j in range(len(x)):
        copy = x.clone()
        copy[j] += noise
        columns.append(((f(copy) - f(x)).abs() > 1e-9).all(dim=1))
    return torch.stack(columns, dim=1)
