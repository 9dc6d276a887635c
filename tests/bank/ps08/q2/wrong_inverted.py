# points: 0
# message: You read the mask the wrong way round


def masked_softmax(scores, allowed):
    nothing = allowed.all(dim=-1, keepdim=True)
    filled = scores.masked_fill(allowed & ~nothing, -torch.inf)
    return torch.softmax(filled, dim=-1).masked_fill(allowed, 0.0)
