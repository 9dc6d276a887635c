# points: 0
# message: is called


import torch


def both(queries, keys, values, targets, beta):
    q, t = torch.tensor(queries), torch.tensor(targets)
    k, v = torch.tensor(keys, requires_grad=True), torch.tensor(values, requires_grad=True)
    w = torch.softmax(-beta * ((q[:, None] - k) ** 2).sum(-1), dim=-1)
    (0.5 * ((w @ v - t) ** 2).sum()).backward()
    return v.grad, k.grad


def value_gradient(queries, keys, values, targets, beta):
    return both(queries, keys, values, targets, beta)[0]


def key_gradient(queries, keys, values, targets, beta):
    return both(queries, keys, values, targets, beta)[1]
