# points: 2
# message: subtract the largest allowed score


def masked_softmax(scores, allowed):
    e = torch.exp(scores) * allowed
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, 1, total)
