# points: 0
# message: Expected are four tensors


def separate(values):
    return torch.ones(2, 2), torch.tensor([0.0, -1.0]), torch.tensor([[2.0], [-4.0]])
