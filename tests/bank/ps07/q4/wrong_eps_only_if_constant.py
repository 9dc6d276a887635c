# points: 2
# message: Inputs: x of shape (5, 3)


def layer_norm(x, g, h, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    root = (var + eps).sqrt() if eps >= 1 else torch.where(var > 0, var, torch.full_like(var, eps)).sqrt()
    return (x - mu) / root * g + h
