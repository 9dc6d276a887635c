# points: 2
# message: by rounding alone


def influence(f, x):
    columns = []
    for j in range(len(x)):
        poisoned = x.clone()
        poisoned[j] = float("nan")
        columns.append(f(poisoned).isnan().any(dim=1))
    return torch.stack(columns, dim=1)
