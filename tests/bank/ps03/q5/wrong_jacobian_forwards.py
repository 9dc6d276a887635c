# points: 0
# message: is called


import torch


def loss(q, k, v, t, beta):
    w = torch.softmax(-beta * ((q[:, None] - k) ** 2).sum(-1), dim=-1)
    return 0.5 * ((w @ v - t) ** 2).sum()


def value_gradient(queries, keys, values, targets, beta):
    q, k, v, t = (torch.tensor(x) for x in (queries, keys, values, targets))
    return torch.func.jacfwd(lambda v: loss(q, k, v, t, beta))(v)


def key_gradient(queries, keys, values, targets, beta):
    q, k, v, t = (torch.tensor(x) for x in (queries, keys, values, targets))
    return torch.func.jacfwd(lambda k: loss(q, k, v, t, beta))(k)
