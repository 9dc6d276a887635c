# points: 0
# message: You add the offset before


def layer_norm(x, g, h, eps):
    centred = x - x.mean(-1, keepdim=True)
    return (centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + eps) + h) * g
