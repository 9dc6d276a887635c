# points: 0
# message: NotImplementedError


def layer_norm(x, g, h, eps):
    raise NotImplementedError
