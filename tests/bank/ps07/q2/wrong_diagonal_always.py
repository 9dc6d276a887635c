# points: 0
# message: Your diagonal is True for each part


def influence(f, x):
    jacobian = torch.autograd.functional.jacobian(f, x)
    return (jacobian.abs() > 1e-9).any(dim=3).any(dim=1) | torch.eye(len(x), dtype=torch.bool)
