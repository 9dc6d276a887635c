def masked_softmax(scores, allowed):
    blocked = torch.where(allowed, scores, -torch.inf)
    empty = blocked.eq(-torch.inf).all(dim=-1, keepdim=True)
    blocked = torch.where(empty, torch.zeros_like(scores), blocked)
    weights = torch.exp(blocked - torch.logsumexp(blocked, dim=-1, keepdim=True))
    return torch.where(allowed, weights, torch.zeros_like(weights))
