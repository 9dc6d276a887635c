# points: 0
# message: log_softmax is called


import torch


def softmax(x, axis):
    return torch.exp(torch.special.log_softmax(torch.tensor(x), axis))
