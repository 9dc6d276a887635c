# points: 0
# message: You normalise


def layer_norm(x, g, h, eps):
    centred = x - x.mean()
    return centred / torch.sqrt((centred**2).mean() + eps) * g + h
