# points: 0
# message: You divide by the variance, without the root


def layer_norm(x, g, h, eps):
    centred = x - x.mean(-1, keepdim=True)
    return centred / ((centred**2).mean(-1, keepdim=True) + eps) * g + h
