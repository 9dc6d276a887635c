# points: 2
# message: by rounding alone


def influence(f, x):
    J = torch.autograd.functional.jacobian(f, x)
    return (J != 0).any(dim=3).any(dim=1)
