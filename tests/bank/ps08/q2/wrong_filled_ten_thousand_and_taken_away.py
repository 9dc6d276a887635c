# points: 2
# message: No gradient is left for allowed scores


def masked_softmax(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, -1e4), dim=-1) * allowed
