# points: 3
# message: is a finite number


def masked_softmax(scores, allowed):
    return torch.softmax(torch.where(allowed, scores, torch.finfo(scores.dtype).min), dim=-1)
