# points: 3
# message: The gradient is NaN


def masked_softmax(scores, allowed):
    bias = torch.zeros(allowed.shape, dtype=scores.dtype).masked_fill(~allowed, -torch.inf)
    return torch.nan_to_num(torch.softmax(scores + bias, dim=-1))
