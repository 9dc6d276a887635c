# points: 2
# message: The gradient is NaN


def masked_softmax(scores, allowed):
    e = torch.exp(scores) * allowed
    z = e.sum(dim=-1, keepdim=True)
    return torch.where(z > 0, e / z, 0.0)
