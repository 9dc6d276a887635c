# points: 0
# message: the largest error


def layer_norm(x, g, h, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).sum(-1, keepdim=True) / 4
    return (x - mu) / torch.sqrt(var + eps) * g + h
