# points: 0
# message: You leave out the diagonal


def influence(f, x):
    jacobian = torch.autograd.functional.jacobian(f, x)
    found = (jacobian.abs() > 1e-9).any(dim=3).any(dim=1)
    return found & ~torch.eye(len(x), dtype=torch.bool)
