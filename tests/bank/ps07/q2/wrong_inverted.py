# points: 0
# message: Everything is turned round


def influence(f, x):
    return (torch.autograd.functional.jacobian(f, x).abs() < 1e-9).all(dim=3).all(dim=1)
