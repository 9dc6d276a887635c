# points: 0
# message: You normalise over the words


def layer_norm(x, g, h, eps):
    centred = x - x.mean(-2, keepdim=True)
    return centred / torch.sqrt((centred**2).mean(-2, keepdim=True) + eps) * g + h
