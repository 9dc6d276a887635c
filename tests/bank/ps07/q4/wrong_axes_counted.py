# points: 3
# message: KeyError


def layer_norm(x, g, h, eps):
    axis = {1: 0, 2: 1, 3: 2, 4: 3}[x.dim()]
    mu = x.mean(axis, keepdim=True)
    var = ((x - mu) ** 2).mean(axis, keepdim=True)
    return (x - mu) / (var + eps) ** 0.5 * g + h
