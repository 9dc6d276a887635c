# points: 0
# message: A forbidden score of 0 still has


def masked_softmax(scores, allowed):
    return torch.softmax(scores * allowed, dim=-1)
