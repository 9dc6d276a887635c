def masked_softmax(scores, allowed):
    allowed = allowed.expand(scores.shape)
    empty = ~allowed.any(-1, keepdim=True)
    safe = torch.where(allowed | empty, scores, -torch.inf)
    return torch.where(allowed, torch.softmax(safe, dim=-1), 0.0)
