# points: 1
# message: the softmax subtracts the largest score from


def masked_softmax(scores, allowed):
    w = torch.softmax(scores, dim=-1) * allowed
    return w / w.sum(-1, keepdim=True)
