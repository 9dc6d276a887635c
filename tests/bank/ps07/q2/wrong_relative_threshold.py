# points: 2
# message: not beside a strong one


def influence(f, x):
    J = torch.autograd.functional.jacobian(f, x).abs().amax(dim=(1, 3))
    return J > 1e-3 * J.max()
