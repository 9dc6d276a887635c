# points: 2
# message: cancels


def influence(f, x):
    return torch.autograd.functional.jacobian(f, x).sum(dim=1).abs().amax(dim=-1) > 1e-9
