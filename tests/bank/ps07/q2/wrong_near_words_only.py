# points: 2
# message: for a random x of shape (24, 2)


def influence(f, x):
    J = torch.autograd.functional.jacobian(f, x).abs().amax(dim=(1, 3))
    place = torch.arange(len(x))
    return (J > 1e-9) & ((place[:, None] - place).abs() <= 8)
