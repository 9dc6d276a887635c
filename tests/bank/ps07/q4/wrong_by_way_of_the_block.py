# points: 0
# message: is called in


def layer_norm(x, g, h, eps):
    norm = layers.Sublayer(x.shape[-1]).norm
    return norm(x) * g + h
