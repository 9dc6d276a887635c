# points: 0
# message: changes its inputs in place


def masked_softmax(scores, allowed):
    allowed = allowed.expand(scores.shape)
    something = allowed.any(dim=-1, keepdim=True)
    scores[~allowed & something] = -torch.inf
    return torch.softmax(scores, dim=-1).masked_fill(~allowed, 0.0)
