import torch


def softmax_gradient(weights, gradient):
    w, g = torch.tensor(weights), torch.tensor(gradient)
    part = w * g
    return part - w * part.sum(-1, keepdim=True)
