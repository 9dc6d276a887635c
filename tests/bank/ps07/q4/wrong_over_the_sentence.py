# points: 0
# message: You normalise the whole sentence at once


def layer_norm(x, g, h, eps):
    axes = (-2, -1) if x.dim() > 1 else -1
    centred = x - x.mean(axes, keepdim=True)
    return centred / torch.sqrt((centred**2).mean(axes, keepdim=True) + eps) * g + h
