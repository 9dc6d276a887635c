def influence(f, x):
    columns = []
    for j in range(x.shape[0]):
        seen = torch.zeros(len(x), dtype=torch.bool)
        for c in range(x.shape[1]):
            direction = torch.zeros_like(x)
            direction[j, c] = 1
            _, change = torch.autograd.functional.jvp(f, x, direction)
            seen = seen | (change.abs().max(dim=1).values > 1e-9)
        columns.append(seen)
    return torch.stack(columns).T
