# points: 3
# message: the softmax subtracts the largest score from


def masked_softmax(scores, allowed):
    if not allowed.any():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~allowed, float("-inf")), dim=-1)
