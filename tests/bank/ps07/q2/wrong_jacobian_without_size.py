# points: 2
# message: whatever its sign


def influence(f, x):
    return torch.autograd.functional.jacobian(f, x).amax(dim=(1, 3)) > 1e-9
