def masked_softmax(scores, allowed):
    lowest = torch.finfo(scores.dtype).min  # below every score, and no infinity
    return torch.softmax(scores.masked_fill(~allowed, lowest), dim=-1) * allowed
