import torch


def softmax(x, axis):
    x = torch.from_numpy(x)
    powers = torch.exp(x - torch.amax(x, dim=axis, keepdim=True))
    return powers / powers.sum(dim=axis, keepdim=True)
