# points: 3
# message: You fill in a finite number and take


def masked_softmax(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, -1e4), dim=-1) * allowed
