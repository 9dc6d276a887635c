# points: 0
# message: The mean is not taken off


def layer_norm(x, g, h, eps):
    return x / ((x**2).mean(-1, keepdim=True) + eps).sqrt() * g + h
