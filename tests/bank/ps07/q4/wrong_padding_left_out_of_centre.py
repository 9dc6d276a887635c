# points: 2
# message: Inputs: x of shape (3, 5)


def layer_norm(x, g, h, eps):
    real = (x != 0).float()
    n = real.sum(-1, keepdim=True).clamp(min=1)
    mu = (x * real).sum(-1, keepdim=True) / n
    var = ((x - mu) ** 2 * real).sum(-1, keepdim=True) / n
    return (x - mu) / (var + eps).sqrt() * g + h
