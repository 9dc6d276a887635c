def masked_softmax(scores, allowed):
    return torch.nan_to_num(torch.softmax(torch.where(allowed, scores, float("-inf")), dim=-1))
