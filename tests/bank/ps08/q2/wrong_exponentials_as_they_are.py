# points: 1
# message: Your weights are not a number where scores are huge


def masked_softmax(scores, allowed):
    e = torch.exp(scores) * allowed
    return e / e.sum(dim=-1, keepdim=True)
