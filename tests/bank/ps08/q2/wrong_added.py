# points: 1
# message: You add a large negative number


def masked_softmax(scores, allowed):
    return torch.softmax(scores + torch.where(allowed, 0.0, -1e9), dim=-1)
