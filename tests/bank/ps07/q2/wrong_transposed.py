# points: 0
# message: Rows and columns have changed places


def influence(f, x):
    jacobian = torch.autograd.functional.jacobian(f, x)
    return (jacobian.abs() > 1e-9).any(dim=3).any(dim=1).T
