# points: 0
# message: Your weights sum to 1 over the queries


def masked_softmax(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, float("-inf")), dim=-2)
