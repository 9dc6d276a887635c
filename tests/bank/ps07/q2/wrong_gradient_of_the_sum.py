# points: 2
# message: You add up the entries of an output


def influence(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    rows = []
    for i in range(len(y)):
        (gradient,) = torch.autograd.grad(y[i].sum(), x, retain_graph=True)
        rows.append((gradient.abs() > 1e-9).any(dim=1))
    return torch.stack(rows)
