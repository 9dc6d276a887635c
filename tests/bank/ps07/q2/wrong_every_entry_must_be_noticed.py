# points: 2
# message: every entry of a word to be noticed


def influence(f, x):
    return (torch.autograd.functional.jacobian(f, x).abs() > 1e-9).any(dim=1).all(dim=-1)
