# points: 3
# message: the softmax subtracts the largest score from


def masked_softmax(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, -torch.inf), dim=-1)
