def influence(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    rows = []
    for i in range(len(y)):
        total = torch.zeros(len(x), dtype=x.dtype)
        for entry in y[i]:
            (gradient,) = torch.autograd.grad(entry, x, retain_graph=True)
            total += gradient.abs().sum(dim=1)
        rows.append(total > 1e-9)
    return torch.stack(rows)
