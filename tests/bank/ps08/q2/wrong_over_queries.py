# points: 0
# message: Your weights sum to 1 over the queries


def masked_softmax(scores, allowed):
    allowed = allowed.expand(scores.shape)
    something = allowed.any(dim=-2, keepdim=True)
    filled = scores.masked_fill(~allowed & something, -torch.inf)
    return torch.softmax(filled, dim=-2).masked_fill(~allowed, 0.0)
