# points: 0
# message: the exponentials themselves


def masked_softmax(scores, allowed):
    return scores.masked_fill(~allowed, -torch.inf).exp()
