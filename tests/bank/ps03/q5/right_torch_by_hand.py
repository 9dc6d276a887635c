import torch


def parts(queries, keys, values, targets, beta):
    q, k, v, t = (torch.tensor(x) for x in (queries, keys, values, targets))
    away = q[:, None] - k
    w = torch.softmax(-beta * (away**2).sum(-1), dim=-1)
    return away, w, v, w @ v, t


def value_gradient(queries, keys, values, targets, beta):
    _, w, _, o, t = parts(queries, keys, values, targets, beta)
    return w.T @ (o - t)


def key_gradient(queries, keys, values, targets, beta):
    away, w, v, o, t = parts(queries, keys, values, targets, beta)
    inner = torch.einsum("ijv,iv->ij", v[None] - o[:, None], o - t)
    return torch.einsum("ij,ijd->jd", 2 * beta * w * inner, away)
