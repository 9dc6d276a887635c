# points: 3
# message: you change a tensor in place that it still needs


def masked_softmax(scores, allowed):
    weights = torch.softmax(torch.where(allowed, scores, -torch.inf), dim=-1)
    weights[weights.isnan()] = 0
    return weights
