# points: 2
# message: a finite number


def masked_softmax(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, -1e9), dim=-1)
