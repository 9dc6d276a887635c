# points: 0
# message: torch.autograd.grad is called


def value_gradient(queries, keys, values, targets, beta):
    return automatic(queries, keys, values, targets, beta)[1]


def key_gradient(queries, keys, values, targets, beta):
    return automatic(queries, keys, values, targets, beta)[0]


def automatic(queries, keys, values, targets, beta):
    import torch
    from torch.autograd import grad

    q, k, v, t = map(torch.tensor, (queries, keys, values, targets))
    k.requires_grad_()
    v.requires_grad_()
    w = torch.softmax(-beta * ((q[:, None] - k) ** 2).sum(-1), dim=-1)
    return [g.numpy() for g in grad(0.5 * ((w @ v - t) ** 2).sum(), [k, v])]
