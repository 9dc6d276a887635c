# points: 0
# message: it is the same


def influence(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    (gradient,) = torch.autograd.grad((y * torch.randn_like(y)).sum(), x)
    return (gradient.abs() > 1e-9).any(dim=1).expand(len(x), -1)
