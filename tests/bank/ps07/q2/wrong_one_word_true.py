# points: 2
# message: A single word gets True at once


def influence(f, x):
    if x.shape[0] == 1:
        return torch.ones(1, 1, dtype=torch.bool)
    return torch.autograd.functional.jacobian(f, x).abs().amax(dim=(1, 3)) > 1e-9
