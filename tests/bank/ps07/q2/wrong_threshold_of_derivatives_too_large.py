# points: 2
# message: A faint influence does not count


def influence(f, x):
    return (torch.autograd.functional.jacobian(f, x).abs() > 0.05).any(dim=3).any(dim=1)
