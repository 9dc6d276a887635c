# points: 2
# message: eps = 1e-11


def layer_norm(x, g, h, eps):
    m = x.mean(dim=-1, keepdim=True)
    v = ((x - m) ** 2).mean(dim=-1, keepdim=True)
    return (x - m) / ((v + eps).sqrt() + 1e-5) * g + h
