def masked_softmax(scores, allowed):
    weights = torch.softmax(torch.where(allowed, scores, -torch.inf), dim=-1)
    return torch.nan_to_num(weights)  # torch.where hands no NaN back to the scores
