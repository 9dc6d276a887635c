# points: 2
# message: is a finite number


def masked_softmax(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, -1e30), dim=-1)
