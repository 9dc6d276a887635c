# points: 0
# message: the same on both sides of the diagonal


def influence(f, x):
    depends = (torch.autograd.functional.jacobian(f, x).abs() > 1e-9).any(dim=3).any(dim=1)
    return depends | depends.T
