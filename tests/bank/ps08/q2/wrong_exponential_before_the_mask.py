# points: 3
# message: The gradient is NaN


def masked_softmax(scores, allowed):
    inside = torch.where(allowed, scores, -torch.inf)
    largest = inside.max(dim=-1, keepdim=True).values
    largest = torch.where(largest == -torch.inf, 0.0, largest)
    e = torch.where(allowed, torch.exp(scores - largest), 0.0)
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total)
