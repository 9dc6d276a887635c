# points: 2
# message: A faint influence does not count


def influence(f, x):
    J = torch.autograd.functional.jacobian(f, x)
    return J.abs().amax(dim=(1, 3)) > 0.009
