def masked_softmax(scores, allowed):
    empty = ~allowed.any(dim=-1, keepdim=True)
    kept = scores.masked_fill(~(allowed | empty), float("-inf"))
    weights = (kept - torch.logsumexp(kept, dim=-1, keepdim=True)).exp()
    return weights.masked_fill(~allowed, 0)
