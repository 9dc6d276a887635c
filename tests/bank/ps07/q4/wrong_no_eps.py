# points: 2
# message: The ε is missing


def layer_norm(x, g, h, eps):
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred**2).mean(-1, keepdim=True).sqrt() * g + h
