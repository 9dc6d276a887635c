# points: 2
# message: You add up


def influence(f, x):
    return torch.autograd.functional.jacobian(f, x).sum(dim=(1, 3)).abs() > 1e-9
