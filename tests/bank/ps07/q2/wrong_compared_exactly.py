# points: 2
# message: by rounding alone


def influence(f, x):
    columns = []
    noise = torch.linspace(0.3, 0.9, x.shape[1], dtype=x.dtype)
    for j in range(len(x)):
        copy = x.clone()
        copy[j] += noise
        columns.append((f(copy) != f(x)).any(dim=1))
    return torch.stack(columns, dim=1)
