# points: 0
# message: Two things


def layer_norm(x, g, h, eps):
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) * g + h
