# points: 3
# message: take the forbidden weights away afterwards


def masked_softmax(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, -1e4), dim=-1) * allowed
