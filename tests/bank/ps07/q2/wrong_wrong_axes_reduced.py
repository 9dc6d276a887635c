# points: 0
# message: Your result has shape


def influence(f, x):
    jacobian = torch.autograd.functional.jacobian(f, x)
    return (jacobian.abs() > 1e-9).any(dim=3).any(dim=2)
