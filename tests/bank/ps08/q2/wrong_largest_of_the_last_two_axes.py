# points: 3
# message: each row's own largest


def masked_softmax(scores, allowed):
    allowed = allowed.expand(scores.shape)
    inside = torch.where(allowed, scores, -torch.inf)
    largest = inside.amax(dim=(-2, -1), keepdim=True)
    largest = torch.where(largest == -torch.inf, 0.0, largest)
    e = torch.exp(inside - largest)
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total)
