# points: 2
# message: and then double them


def influence(f, x):
    columns, y = [], f(x)
    for j in range(len(x)):
        plus, times = x.clone(), x.clone()
        plus[j] += 1
        times[j] *= 2
        columns.append((((f(plus) - y).abs() > 1e-9) | ((f(times) - y).abs() > 1e-9)).any(dim=1))
    return torch.stack(columns, dim=1)
