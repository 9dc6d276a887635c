# points: 0
# message: Expected are four tensors


def separate(values):
    return torch.tensor([-1.0, 1.0, 1.0, -1.0])
