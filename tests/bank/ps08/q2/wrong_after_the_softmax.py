# points: 0
# message: You mask after the softmax


def masked_softmax(scores, allowed):
    return torch.softmax(scores, dim=-1) * allowed
