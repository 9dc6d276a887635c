# points: 2
# message: You subtract the largest of all scores


def masked_softmax(scores, allowed):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values) * allowed
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total)
