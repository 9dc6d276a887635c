# points: 0
# message: Your code stops with


def layer_norm(x, g, h, eps):
    centred = x - x.mean(-1)
    return centred / torch.sqrt((centred**2).mean(-1) + eps) * g + h
