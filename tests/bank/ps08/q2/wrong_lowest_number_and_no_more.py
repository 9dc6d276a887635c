# points: 3
# message: the forbidden keys share the weight


def masked_softmax(scores, allowed):
    return torch.softmax(torch.where(allowed, scores, torch.finfo(scores.dtype).min), dim=-1)
